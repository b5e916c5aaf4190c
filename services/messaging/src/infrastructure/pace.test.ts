import { jest } from '@jest/globals'
import { createPace } from './pace.ts'

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

it('concurrent requests pass in turn at the rate; after a pause a little more passes at once', async () => {
  const pace = createPace(1000)
  const passed: string[] = []
  const ask = (name: string, bytes: number) => void pace(bytes).then(() => passed.push(name))
  await jest.advanceTimersByTimeAsync(1000)
  ask('the burst', 100)
  ask('one', 500)
  ask('two', 500)
  await jest.advanceTimersByTimeAsync(0)
  expect(passed).toEqual(['the burst'])
  await jest.advanceTimersByTimeAsync(499)
  expect(passed).toEqual(['the burst'])
  await jest.advanceTimersByTimeAsync(1)
  expect(passed).toEqual(['the burst', 'one'])
  await jest.advanceTimersByTimeAsync(500)
  expect(passed).toEqual(['the burst', 'one', 'two'])
})
