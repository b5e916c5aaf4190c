import { AppError } from '@sumlock/service-kit/app-error'

export interface HashQueue {
  /** Runs a hashing job when its turn comes; throws 429 at once when too many wait. */
  run<T>(job: () => Promise<T>): Promise<T>
  readonly waiting: number
}

export interface HashQueueOptions {
  concurrency?: number
  capacity?: number
  /** Told how long a job waited when its turn comes. */
  onTurn?: (waitedMs: number) => void
  onRefused?: () => void
}

/** Password hashing is slow on purpose; unbounded, a storm of sign-ins would starve everything else. */
export function createHashQueue({
  concurrency = 2,
  capacity = 64,
  onTurn,
  onRefused,
}: HashQueueOptions = {}): HashQueue {
  let active = 0
  const queue: (() => void)[] = []
  return {
    get waiting() {
      return queue.length
    },
    async run(job) {
      const arrivedMs = performance.now()
      if (active >= concurrency) {
        // guard: hash-queue
        if (queue.length >= capacity) {
          onRefused?.()
          throw new AppError(
            'rate-limited',
            'too_many_requests',
            'Many people are signing in right now. Please try again in a moment.',
          )
        }
        await new Promise<void>((resolve) => queue.push(resolve))
      } else {
        active += 1
      }
      onTurn?.(performance.now() - arrivedMs)
      try {
        return await job()
      } finally {
        const next = queue.shift()
        if (next) next()
        else active -= 1
      }
    },
  }
}
