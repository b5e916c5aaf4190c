/** Runs the jobs of one key one after the other, jobs of different keys side by side. */
export interface KeyedQueue {
  run<T>(key: string, job: () => Promise<T>): Promise<T>
  /** Keys with running or queued jobs. */
  readonly size: number
  /** Running and queued jobs. */
  readonly waiting: number
}

/**
 * The jobs of a key. V8 keeps what a Map held for longer than the Map does (docs/profiles.md, "What outlives a request"): so
 * an empty lane holds nothing.
 */
interface Lane {
  last: Promise<unknown> | undefined
}

/**
 * A failed job does not affect the jobs queued behind it, unless `concernsAll` returns true for its error (the database
 * is down): then they fail at once, instead of waiting for one timeout after the other.
 */
export function createKeyedQueue(concernsAll: (error: unknown) => boolean): KeyedQueue {
  const lanes = new Map<string, Lane>()
  let waiting = 0
  return {
    get size() {
      return lanes.size
    },
    get waiting() {
      return waiting
    },
    run<T>(key: string, job: () => Promise<T>): Promise<T> {
      const lane = lanes.get(key) ?? { last: undefined }
      const before = lane.last
      const result = before
        ? before.then(job, (error: unknown) => {
            if (concernsAll(error)) throw error
            return job()
          })
        : job()
      lane.last = result
      if (!before) lanes.set(key, lane)
      waiting += 1
      const leave = () => {
        waiting -= 1
        if (lane.last !== result) return
        lane.last = undefined
        if (lanes.get(key) === lane) lanes.delete(key)
      }
      result.then(leave, leave)
      return result
    },
  }
}
