import { jest } from '@jest/globals'
import { renderHook } from '../../../test/render.tsx'
import { useLimitTimer } from './use-limit-timer.ts'
import { noteServerDate } from '../../../test/page.ts'

const evening = new Date('2026-11-22T23:00:00.000Z')

beforeEach(() => jest.useFakeTimers({ now: evening }))
afterEach(async () => {
  await noteServerDate(new Date().toUTCString())
  jest.useRealTimers()
})

/** Counts the runs of the callback up to each of these times. */
function runsAt(premiumUntil: string | null, ...times: string[]): number[] {
  let runs = 0
  const { unmount } = renderHook(() => useLimitTimer(premiumUntil, () => runs++))
  const counts = times.map((time) => {
    jest.advanceTimersByTime(Date.parse(time) - Date.now())
    return runs
  })
  unmount()
  jest.advanceTimersByTime(2 * 86_400_000)
  expect(runs).toBe(counts.at(-1))
  return counts
}

it('useLimitTimer calls back within two seconds of every midnight UTC', async () => {
  await noteServerDate(evening.toUTCString())
  expect(runsAt(null, '2026-11-22T23:59:59.900Z', '2026-11-23T00:00:02Z', '2026-11-24T00:00:02Z')).toEqual([
    0, 1, 2,
  ])
})

it('useLimitTimer calls back within two seconds of the end of premium', async () => {
  await noteServerDate(evening.toUTCString())
  expect(runsAt('2026-11-22T23:10:00Z', '2026-11-22T23:09:59Z', '2026-11-22T23:10:02Z')).toEqual([0, 1])
})

it('useLimitTimer ignores a premium that has ended', async () => {
  await noteServerDate(evening.toUTCString())
  expect(runsAt('2026-11-22T22:00:00Z', '2026-11-22T23:59:59Z', '2026-11-23T00:00:02Z')).toEqual([0, 1])
})

it('useLimitTimer uses the server’s clock when the local one is wrong', async () => {
  await noteServerDate('Sun, 22 Nov 2026 23:50:00 GMT')
  expect(runsAt(null, '2026-11-22T23:09:59Z', '2026-11-22T23:10:02Z')).toEqual([0, 1])
})
