import { createKeyedQueue } from './keyed-queue.ts'

const fatal = new Error('the database is away')
const setUp = () => createKeyedQueue((error) => error === fatal)
const deferred = () => Promise.withResolvers<string>()

describe('a keyed queue', () => {
  it('runs the jobs of one key in order and one at a time, and other keys concurrently', async () => {
    const queue = setUp()
    const log: string[] = []
    const [first, other] = [deferred(), deferred()]
    const jobs = [
      queue.run('a', () => (log.push('a1 begins'), first.promise)),
      queue.run('a', () => (log.push('a2 begins'), Promise.resolve('a2'))),
      queue.run('b', () => (log.push('b1 begins'), other.promise)),
    ]
    expect(queue.size).toBe(2)
    expect(queue.waiting).toBe(3)
    other.resolve('b1')
    await jobs[2]
    expect(log).toEqual(['a1 begins', 'b1 begins'])
    first.resolve('a1')
    expect(await Promise.all(jobs)).toEqual(['a1', 'a2', 'b1'])
    expect(log).toEqual(['a1 begins', 'b1 begins', 'a2 begins'])
  })

  it('runs the next job after one failed for its own reason', async () => {
    const queue = setUp()
    const failed = queue.run('a', () => Promise.reject(new Error('refused')))
    const next = queue.run('a', () => Promise.resolve('done'))
    await expect(failed).rejects.toThrow('refused')
    expect(await next).toBe('done')
  })

  it('fails the queued jobs together with one whose failure concerns all, but no later job', async () => {
    const queue = setUp()
    const line = ['first', 'second', 'third'].map((name) =>
      queue.run('a', () => (name === 'first' ? Promise.reject(fatal) : Promise.resolve(name))),
    )
    const fates = await Promise.allSettled(line)
    expect(fates.map((fate) => fate.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await queue.run('a', () => Promise.resolve('later'))).toBe('later')
  })

  it('keeps no entry of finished jobs', async () => {
    const queue = setUp()
    await Promise.allSettled([
      queue.run('a', () => Promise.resolve()),
      queue.run('b', () => Promise.reject(fatal)),
    ])
    await Promise.resolve()
    expect(queue.size).toBe(0)
    expect(queue.waiting).toBe(0)
  })
})
