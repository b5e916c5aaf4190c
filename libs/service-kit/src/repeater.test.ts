import { jest } from '@jest/globals'
import { createRepeater } from './repeater.ts'
import type { RepeaterOptions } from './repeater.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** A job whose runs are ended by the test. */
function controlledJob(options: Partial<RepeaterOptions> = {}) {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  const warnings: unknown[] = []
  const job = createRepeater({
    name: 'counting',
    everyMs: 1000,
    logger: { warn: (fields: unknown) => warnings.push(fields) } as never,
    run: () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })),
    ...options,
  })
  return { job, ends, warnings }
}

describe('a repeater', () => {
  it('runs its job at once and then every period, but never twice at the same time', async () => {
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

  it('logs a failed run with the name of the job and runs the job again', async () => {
    const { job, ends, warnings } = controlledJob()
    ends[0]?.reject(new Error('the database is away'))
    await jest.advanceTimersByTimeAsync(1000)
    expect(warnings).toMatchObject([{ job: 'counting', err: { message: 'the database is away' } }])
    expect(ends).toHaveLength(2)
    ends[1]?.resolve()
    await job.stop()
  })

  it('stops once the present run has ended, and starts no other', async () => {
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

  it('does not keep the process alive', async () => {
    jest.useRealTimers()
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
    const before = timers()
    const { job } = controlledJob({ startsAtOnce: false })
    expect(timers()).toBeLessThanOrEqual(before)
    await job.stop()
  })

  it('runs the job after the first period when it does not start at once', async () => {
    const { job, ends } = controlledJob({ startsAtOnce: false })
    expect(ends).toHaveLength(0)
    await jest.advanceTimersByTimeAsync(1000)
    expect(ends).toHaveLength(1)
    ends[0]?.resolve()
    await job.stop()
  })

  it('runs the job at once when it is kicked, and once more after a run during which it was kicked', async () => {
    const { job, ends } = controlledJob({ startsAtOnce: false })
    job.kick()
    expect(ends).toHaveLength(1)
    job.kick()
    job.kick()
    expect(ends).toHaveLength(1)
    ends[0]?.resolve()
    await jest.advanceTimersByTimeAsync(0)
    expect(ends).toHaveLength(2)
    ends[1]?.resolve()
    await jest.advanceTimersByTimeAsync(0)
    expect(ends).toHaveLength(2)
    await job.stop()
  })

  it('stops after the run it was kicked for, and ignores later kicks', async () => {
    const { job, ends } = controlledJob()
    job.kick()
    let isStopped = false
    const stopped = job.stop().then(() => (isStopped = true))
    ends[0]?.resolve()
    await jest.advanceTimersByTimeAsync(0)
    expect(ends).toHaveLength(2)
    expect(isStopped).toBe(false)
    ends[1]?.resolve()
    await stopped
    job.kick()
    expect(ends).toHaveLength(2)
  })
})
