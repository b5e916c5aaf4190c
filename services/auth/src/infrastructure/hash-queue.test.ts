import { createHashQueue } from './hash-queue.ts'

/** Work that is ended by the test. */
function slowWork() {
  const started: number[] = []
  const finish: (() => void)[] = []
  const job = (name: number) => () =>
    new Promise<number>((resolve) => {
      started.push(name)
      finish.push(() => resolve(name))
    })
  return { started, finish, job }
}

const refused = { kind: 'rate-limited' }

describe('the hash queue', () => {
  it('runs no more jobs at once than allowed, in order, and refuses beyond its capacity', async () => {
    const queue = createHashQueue({ concurrency: 2, capacity: 2 })
    const { started, finish, job } = slowWork()
    const results = [1, 2, 3, 4].map((name) => queue.run(job(name)))
    expect(started).toEqual([1, 2])
    expect(queue.waiting).toBe(2)
    const beyond = queue.run(job(5))
    expect(queue.waiting).toBe(2)
    await expect(beyond).rejects.toMatchObject(refused)
    finish[0]?.()
    await results[0]
    expect(started).toEqual([1, 2, 3])
    finish[1]?.()
    await results[1]
    expect(started).toEqual([1, 2, 3, 4])
    finish.slice(2).forEach((end) => end())
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4])
  })

  it('reports the time that a job waited', async () => {
    const waits: number[] = []
    const queue = createHashQueue({
      concurrency: 1,
      capacity: 1,
      onStart: (waitedMs) => waits.push(waitedMs),
    })
    const before = performance.now()
    await queue.run(() => Promise.resolve())
    expect(waits).toHaveLength(1)
    expect(waits[0]).toBeGreaterThanOrEqual(0)
    expect(waits[0]).toBeLessThanOrEqual(performance.now() - before)
  })

  it('runs further jobs after one has failed', async () => {
    const queue = createHashQueue({ concurrency: 1, capacity: 1 })
    await expect(queue.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(await queue.run(() => Promise.resolve('y'))).toBe('y')
  })

  it('refuses a job that waits too long, without starting it', async () => {
    let turnedAway = 0
    const queue = createHashQueue({
      concurrency: 1,
      waitAtMostMs: 30,
      onRefused: () => (turnedAway += 1),
    })
    const { started, finish, job } = slowWork()
    const first = queue.run(job(1))
    await expect(queue.run(job(2))).rejects.toMatchObject(refused)
    expect(started).toEqual([1])
    expect(queue.waiting).toBe(0)
    expect(turnedAway).toBe(1)
    const third = queue.run(job(3))
    finish[0]?.()
    await first
    expect(started).toEqual([1, 3])
    finish[1]?.()
    expect(await third).toBe(3)
    expect(await queue.run(() => Promise.resolve('at once'))).toBe('at once')
  })
})
