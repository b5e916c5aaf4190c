import { jest } from '@jest/globals'
import { handsOff, watchHands } from './hands-off.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** Whether nothing holds up the next page after this time. */
async function isFreeAfter(ms: number): Promise<boolean> {
  let isFree = false
  void handsOff().then(() => (isFree = true))
  await jest.advanceTimersByTimeAsync(ms)
  return isFree
}
const press = () => window.dispatchEvent(new Event('pointerdown'))

it('a pressed key holds up the next page until its click, at most five seconds', async () => {
  const stop = watchHands()
  press()
  expect(await isFreeAfter(4900)).toBe(false)
  expect(await isFreeAfter(5100)).toBe(true)
  window.dispatchEvent(new Event('click'))
  expect(await isFreeAfter(0)).toBe(true)
  stop()
})

it('a finger that nobody follows any more holds up nothing', async () => {
  const stop = watchHands()
  press()
  stop()
  expect(await isFreeAfter(0)).toBe(true)
})
