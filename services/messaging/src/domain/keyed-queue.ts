/** Runs the jobs of one key one after the other, jobs of different keys side by side. */
export interface KeyedQueue {
  run<T>(key: string, job: () => Promise<T>): Promise<T>
  readonly size: number
}

export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()
  return {
    get size() {
      return tails.size
    },
    run(key, job) {
      const before = tails.get(key)
      const result = before ? before.then(job, job) : job()
      const tail = result.catch(() => undefined)
      tails.set(key, tail)
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
      return result
    },
  }
}
