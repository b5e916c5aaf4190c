import { jest } from '@jest/globals'
import { runPeriodically } from './run-periodically.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** A job whose runs end when the test says so. */
function controlledJob() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  const warnings: unknown[] = []
  const job = runPeriodically({
    name: 'counting',
    everyMs: 1000,
    logger: { warn: (fields: unknown) => warnings.push(fields) } as never,
    run: () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })),
  })
  return { job, ends, warnings }
}

describe('a periodic job', () => {
  it('runs at once and then in every period, but never while a run lasts', async () => {
    const { job, ends } = controlledJob()
    expect(ends).toHaveLength(1)
    await jest.advanceTimersByTimeAsync(5000)
    expect(ends).toHaveLength(1)
    ends[0]?.resolve()
    await jest.advanceTimersByTimeAsync(1000)
    expect(ends).toHaveLength(2)
    ends[1]?.resolve()
    await job.stop()
  })

  it('goes on after a run that failed, and logs it with the name of the job', async () => {
    const { job, ends, warnings } = controlledJob()
    ends[0]?.reject(new Error('the database is away'))
    await jest.advanceTimersByTimeAsync(1000)
    expect(warnings).toMatchObject([{ job: 'counting', err: { message: 'the database is away' } }])
    expect(ends).toHaveLength(2)
    ends[1]?.resolve()
    await job.stop()
  })

  it('stops only when the present run is over, and starts no other', async () => {
    const { job, ends } = controlledJob()
    let isStopped = false
    const stopped = job.stop().then(() => (isStopped = true))
    await jest.advanceTimersByTimeAsync(5000)
    expect(isStopped).toBe(false)
    ends[0]?.resolve()
    await stopped
    await jest.advanceTimersByTimeAsync(5000)
    expect(ends).toHaveLength(1)
  })
})
