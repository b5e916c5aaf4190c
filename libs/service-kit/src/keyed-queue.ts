/** Runs the jobs of one key one after the other, jobs of different keys side by side. */
export interface KeyedQueue {
  run<T>(key: string, job: () => Promise<T>): Promise<T>
  /** Keys with running or queued jobs. */
  readonly size: number
  /** Running and queued jobs. */
  readonly waiting: number
}

/**
 * A failed job does not affect the jobs queued behind it, unless `concernsAll` returns true for its error (the database
 * is down): then they fail at once, instead of waiting for one timeout after the other.
 */
export function createKeyedQueue(concernsAll: (error: unknown) => boolean): KeyedQueue {
  /** The last job of each key. */
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
