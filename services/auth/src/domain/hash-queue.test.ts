import { createHashQueue } from './hash-queue.ts'

describe('the hash queue', () => {
  it('runs no more jobs at once than allowed, in order, and refuses beyond its capacity', async () => {
    const queue = createHashQueue({ concurrency: 2, capacity: 2 })
    const finish: (() => void)[] = []
    const started: number[] = []
    const job = (name: number) => () =>
      new Promise<number>((resolve) => {
        started.push(name)
        finish.push(() => resolve(name))
      })
    const results = [1, 2, 3, 4].map((name) => queue.run(job(name)))
    expect(started).toEqual([1, 2])
    await expect(queue.run(job(5))).rejects.toMatchObject({ kind: 'rate-limited' })
    finish[0]?.()
    await results[0]
    expect(started).toEqual([1, 2, 3])
    finish[1]?.()
    await results[1]
    expect(started).toEqual([1, 2, 3, 4])
    finish.slice(2).forEach((end) => end())
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4])
  })

  it('refuses what would wait too long by how long the last ones took, however few they are', async () => {
    let now = 0
    const queue = createHashQueue({ concurrency: 1, capacity: 64, waitAtMostMs: 1000, nowMs: () => now })
    const lasting = (ms: number) => () => {
      now += ms
      return Promise.resolve()
    }
    for (let times = 0; times < 20; times += 1) await queue.run(lasting(600))
    let finish = () => {}
    const running = queue.run(() => new Promise<void>((resolve) => (finish = resolve)))
    const waiting = queue.run(lasting(20))
    await expect(queue.run(lasting(20))).rejects.toMatchObject({ kind: 'rate-limited' })
    finish()
    await Promise.all([running, waiting])
    // It is fast again, and finds out.
    for (let times = 0; times < 20; times += 1) await queue.run(lasting(20))
    const many = [1, 2, 3, 4, 5].map(() => queue.run(lasting(20)))
    await expect(Promise.all(many)).resolves.toHaveLength(5)
  })

  it('goes on after a job that failed', async () => {
    const queue = createHashQueue({ concurrency: 1, capacity: 1 })
    await expect(queue.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(await queue.run(() => Promise.resolve('y'))).toBe('y')
  })
})
