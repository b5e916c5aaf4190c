import { AppError } from '@sumlock/service-kit/app-error'

export interface HashQueue {
  /** Runs a hashing job when its turn comes; throws 429 at once when too many wait, or when it would wait too long. */
  run<T>(job: () => Promise<T>): Promise<T>
  readonly waiting: number
}

export interface HashQueueOptions {
  concurrency?: number
  capacity?: number
  /** How long a job may have to wait, by how long the last ones took, in ms. */
  waitAtMostMs?: number
  nowMs?: () => number
  /** Told how long a job waited when its turn comes. */
  onTurn?: (waitedMs: number) => void
  onRefused?: () => void
}

/** Password hashing is slow on purpose; unbounded, a storm of sign-ins would starve everything else. */
export function createHashQueue({
  concurrency = 2,
  capacity = 64,
  waitAtMostMs = 1000,
  nowMs = () => performance.now(),
  onTurn,
  onRefused,
}: HashQueueOptions = {}): HashQueue {
  let active = 0
  let typicalMs = 0
  const queue: (() => void)[] = []
  return {
    get waiting() {
      return queue.length
    },
    async run(job) {
      const arrivedMs = nowMs()
      if (active >= concurrency) {
        const turnsBefore = Math.ceil((queue.length + 1) / concurrency)
        // Nobody listens any more to an answer that comes after two seconds.
        // guard: hash-queue-in-time
        const tooLate = turnsBefore * typicalMs > waitAtMostMs
        // guard: hash-queue
        if (queue.length >= capacity || tooLate) {
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
      const startedMs = nowMs()
      onTurn?.(startedMs - arrivedMs)
      try {
        return await job()
      } finally {
        typicalMs += (nowMs() - startedMs - typicalMs) / 4
        const next = queue.shift()
        if (next) next()
        else active -= 1
      }
    },
  }
}
