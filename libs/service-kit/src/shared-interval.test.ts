import { AsyncLocalStorage } from 'node:async_hooks'
import { jest } from '@jest/globals'
import { shareInterval } from './shared-interval.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => {
  for (const end of ends.splice(0)) end()
  jest.useRealTimers()
})

const ends: (() => void)[] = []
const every = (everyMs: number, run: () => void) =>
  ends[ends.push(shareInterval(everyMs, run)) - 1] as () => void
const counting = (everyMs: number) => {
  const run = jest.fn()
  return { run, end: every(everyMs, run) }
}

it('calls each job at its period, however many share the timer', () => {
  const jobs = [250, 1000, 5000].map(counting)
  jest.advanceTimersByTime(10_000)
  expect(jobs.map(({ run }) => run.mock.calls.length)).toEqual([40, 10, 2])
  expect(jest.getTimerCount()).toBe(1)
})

it('calls jobs together that were begun at different times', () => {
  const calledAt: number[] = []
  for (let count = 0; count < 3; count += 1) {
    every(1000, () => void calledAt.push(performance.now()))
    jest.advanceTimersByTime(123)
  }
  jest.advanceTimersByTime(4000)
  expect(calledAt.length).toBeGreaterThanOrEqual(9)
  expect(calledAt.filter((ms) => ms % 1000 !== 0)).toEqual([])
})

it.each([1, 400, 999])(
  'waits no longer than a period for the first call, begun %i ms after a full second',
  (ms) => {
    jest.advanceTimersByTime(ms)
    const { run } = counting(2000)
    jest.advanceTimersByTime(1000)
    expect(run).not.toHaveBeenCalled()
    jest.advanceTimersByTime(1000)
    expect(run).toHaveBeenCalledTimes(1)
  },
)

it('does not call a job that has ended, by itself or by another job at the same time, and leaves no timer', () => {
  const first = every(1000, () => {
    first()
    second.end()
  })
  const second = counting(1000)
  jest.advanceTimersByTime(5000)
  expect(second.run).not.toHaveBeenCalled()
  expect(jest.getTimerCount()).toBe(0)
})

it.each([
  ['suspended, and on the grid again', 60_400, 61_000],
  ['busy until shortly before the next call, which waits most of a period', 1990, 3000],
])('calls a job once after the process was %s', (_what, lateMs, nextMs) => {
  const { run } = counting(1000)
  const now = jest.spyOn(performance, 'now').mockReturnValue(lateMs)
  jest.advanceTimersByTime(1000)
  expect(run).toHaveBeenCalledTimes(1)
  now.mockReturnValue(nextMs - 10)
  jest.advanceTimersByTime(nextMs - 10 - lateMs)
  expect(run).toHaveBeenCalledTimes(1)
  now.mockReturnValue(nextMs)
  jest.advanceTimersByTime(10)
  expect(run).toHaveBeenCalledTimes(2)
  now.mockRestore()
})

it('calls a job once, and again a period later, when a timer fires a little early', () => {
  const { run } = counting(1000)
  const now = jest.spyOn(performance, 'now').mockReturnValue(999.2)
  jest.advanceTimersByTime(1000)
  expect(run).toHaveBeenCalledTimes(1)
  jest.advanceTimersByTime(10)
  expect(run).toHaveBeenCalledTimes(1)
  now.mockReturnValue(2000)
  jest.advanceTimersByTime(991)
  expect(run).toHaveBeenCalledTimes(2)
  now.mockRestore()
})

it('calls a job in the context in which it was begun', () => {
  const request = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  request.run('its own', () => every(1000, () => void seen.push(request.getStore())))
  request.run('another', () => counting(500))
  jest.advanceTimersByTime(1000)
  expect(seen).toEqual(['its own'])
})
