import { setTimeout as wait } from 'node:timers/promises'
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

  it('refuses before the work begins, and keeps a turn only until it was had or is not needed any more', async () => {
    const queue = createHashQueue({ concurrency: 1, capacity: 1 })
    const begun: string[] = []
    const gate: (() => void)[] = []
    const work = (name: string, hashes: boolean) =>
      queue.admit(async (inTurn) => {
        begun.push(name)
        if (hashes) await inTurn(() => Promise.resolve())
        await new Promise<void>((resolve) => gate.push(resolve))
      })
    const first = work('first', false)
    const second = work('second', false)
    await expect(work('third', true)).rejects.toMatchObject({ kind: 'rate-limited' })
    expect(begun).toEqual(['first', 'second'])
    gate.forEach((open) => open())
    await Promise.all([first, second])
    const hashed = work('fourth', true)
    await new Promise((resolve) => setImmediate(resolve))
    const afterwards = [work('fifth', false), work('sixth', false)]
    expect(begun).toEqual(['first', 'second', 'fourth', 'fifth', 'sixth'])
    gate.forEach((open) => open())
    await Promise.all([hashed, ...afterwards])
  })

  it('refuses whose turn would come after their patience, by the time the last jobs took', async () => {
    const queue = createHashQueue({ concurrency: 1, capacity: 100, patienceMs: 50 })
    await queue.run(() => wait(30))
    const finish: (() => void)[] = []
    const job = () => new Promise<void>((resolve) => finish.push(resolve))
    // Nobody ahead, then one (30 ms), then two (60 ms).
    const admitted = [queue.run(job), queue.run(job)]
    await expect(queue.run(job)).rejects.toMatchObject({ kind: 'rate-limited' })
    finish[0]?.()
    await admitted[0]
    finish[1]?.()
    await admitted[1]
    expect(await queue.run(() => Promise.resolve('at once'))).toBe('at once')
  })
})
