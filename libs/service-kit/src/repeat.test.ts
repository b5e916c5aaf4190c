import { jest } from '@jest/globals'
import { createMetrics } from './metrics.ts'
import { createRepeat } from './repeat.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

it('a job reports for how long it has failed, and is stopped with its service', async () => {
  const closers: (() => unknown)[] = []
  const metrics = createMetrics('messaging')
  const repeat = createRepeat({
    logger: { warn: () => undefined } as never,
    metrics,
    onClose: (close) => void closers.push(close),
  })
  const failingSeconds = async () =>
    (await metrics.registry.getSingleMetric('repeated_work_failing_seconds')?.get())?.values[0]?.value
  let isAway = false
  let runs = 0
  repeat({
    name: 'reading changes',
    everyMs: 1000,
    run() {
      runs += 1
      return isAway ? Promise.reject(new Error('auth is away')) : Promise.resolve()
    },
  })
  await jest.advanceTimersByTimeAsync(5000)
  expect(await failingSeconds()).toBe(0)
  isAway = true
  await jest.advanceTimersByTimeAsync(301_000)
  expect(await failingSeconds()).toBe(300)
  isAway = false
  await jest.advanceTimersByTimeAsync(1000)
  expect(await failingSeconds()).toBe(0)

  for (const close of closers) await close()
  const before = runs
  await jest.advanceTimersByTimeAsync(5000)
  expect(runs).toBe(before)
})
