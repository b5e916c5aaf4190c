import { AppError } from '@sumlock/service-kit/app-error'
import { createSemaphore } from '@sumlock/service-kit/semaphore'

export interface HashQueue {
  /**
   * Runs work that hashes one password. Throws 429 before it starts when the queue is full or the wait takes too long.
   */
  run<T>(work: () => Promise<T>): Promise<T>
  readonly waiting: number
}

export interface HashQueueOptions {
  concurrency?: number
  /** The queue holds about as many passwords as a fast processor hashes within `waitAtMostMs`. */
  capacity?: number
  /** The gateway waits two seconds for auth. Up to 0.7 s pass in its own queue, and the hash itself needs time. */
  waitAtMostMs?: number
  /** Called with the waiting time when work starts. */
  onStart?: (waitedMs: number) => void
  onRefused?: () => void
}

/**
 * Limits concurrent password hashing, because hashing is slow on purpose and many sign-ins at once would starve all other
 * work.
 */
export function createHashQueue({
  concurrency = 2,
  capacity = 32,
  waitAtMostMs = 800,
  onStart,
  onRefused,
}: HashQueueOptions = {}): HashQueue {
  const semaphore = createSemaphore({ permits: concurrency })

  const refusal = () => {
    onRefused?.()
    return new AppError(
      'rate-limited',
      'too_many_requests',
      'Many people are signing in right now. Please try again in a moment.',
    )
  }

  return {
    async run(work) {
      const arrivedMs = performance.now()
      const permit =
        semaphore.tryAcquire() ?? (await semaphore.acquire({ timeoutMs: waitAtMostMs, maxQueued: capacity }))
      if (!permit) throw refusal()
      onStart?.(performance.now() - arrivedMs)
      try {
        return await work()
      } finally {
        permit.release()
      }
    },
    get waiting() {
      return semaphore.queued
    },
  }
}
