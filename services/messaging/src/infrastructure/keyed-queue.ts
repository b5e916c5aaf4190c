/** Runs the jobs of one key one after the other, jobs of different keys side by side. */
export interface KeyedQueue {
  run<T>(key: string, job: () => Promise<T>): Promise<T>
  /** Keys with work under way. */
  readonly size: number
  /** Jobs that are under way or wait for their turn. */
  readonly waiting: number
}

/**
 * A job that fails goes unnoticed by those behind it, unless `concernsAll` says that it met a fault they would meet, too
 * (the database is away): then they fail with it at once, instead of each waiting out the same timeout in turn.
 */
export function createKeyedQueue(concernsAll: (error: unknown) => boolean): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()
  let waiting = 0
  return {
    get size() {
      return tails.size
    },
    get waiting() {
      return waiting
    },
    run<T>(key: string, job: () => Promise<T>): Promise<T> {
      const before = tails.get(key)
      const result = before
        ? before.then(job, (error: unknown) => {
            if (concernsAll(error)) throw error
            return job()
          })
        : job()
      tails.set(key, result)
      waiting += 1
      const leave = () => {
        waiting -= 1
        if (tails.get(key) === result) tails.delete(key)
      }
      result.then(leave, leave)
      return result
    },
  }
}
