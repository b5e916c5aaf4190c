import { jest } from '@jest/globals'
import { createHands } from './hands.ts'

const hands = createHands()

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** Whether the next page may come after this time. */
async function isFreeAfter(ms: number): Promise<boolean> {
  let isFree = false
  void hands.atRest().then(() => (isFree = true))
  await jest.advanceTimersByTimeAsync(ms)
  return isFree
}
const press = () => window.dispatchEvent(new Event('pointerdown'))

it('a pressed key holds up the next page until its click, at most five seconds', async () => {
  const stop = hands.watch()
  press()
  expect(await isFreeAfter(4900)).toBe(false)
  expect(await isFreeAfter(5100)).toBe(true)
  window.dispatchEvent(new Event('click'))
  expect(await isFreeAfter(0)).toBe(true)
  stop()
})

it('a finger that is no longer followed delays nothing', async () => {
  const stop = hands.watch()
  press()
  stop()
  expect(await isFreeAfter(0)).toBe(true)
})
