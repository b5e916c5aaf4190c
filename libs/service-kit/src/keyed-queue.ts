/** Runs the jobs of one key one after another, and jobs of different keys at the same time. */
export interface KeyedQueue {
  run<T>(key: string, job: () => Promise<T>): Promise<T>
  /** The number of keys with running or queued jobs. */
  readonly size: number
  /** The number of running and queued jobs. */
  readonly waiting: number
}

/**
 * The jobs queued behind a failed one run as usual, unless `concernsAll` returns true for its error (the database is
 * down). They then fail with the same error, so that not each of them waits for a timeout of its own.
 */
export function createKeyedQueue(concernsAll: (error: unknown) => boolean): KeyedQueue {
  /** The value is the last job of each key. */
  const lanes = new Map<string, Promise<unknown>>()
  let waiting = 0
  return {
    get size() {
      return lanes.size
    },
    get waiting() {
      return waiting
    },
    run<T>(key: string, job: () => Promise<T>): Promise<T> {
      const before = lanes.get(key)
      const result = before
        ? before.then(job, (error: unknown) => {
            if (concernsAll(error)) throw error
            return job()
          })
        : job()
      lanes.set(key, result)
      waiting += 1
      const leave = () => {
        waiting -= 1
        if (lanes.get(key) === result) lanes.delete(key)
      }
      result.then(leave, leave)
      return result
    },
  }
}
