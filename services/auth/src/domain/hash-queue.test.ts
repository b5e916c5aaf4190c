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

  it('goes on after a job that failed', async () => {
    const queue = createHashQueue({ concurrency: 1, capacity: 1 })
    await expect(queue.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x')
    expect(await queue.run(() => Promise.resolve('y'))).toBe('y')
  })
})
