import { AppError } from '@sumlock/service-kit/app-error'
import { createSemaphore } from '@sumlock/service-kit/semaphore'

export interface HashQueue {
  /** Runs work that hashes once when its turn comes; throws 429 before it begins when too many wait, or it waits too long. */
  run<T>(work: () => Promise<T>): Promise<T>
  readonly waiting: number
}

export interface HashQueueOptions {
  concurrency?: number
  /** How many may wait for their turn: about as many as a fast processor serves in the time they may wait. */
  capacity?: number
  /** For how long. Of the two seconds of the gateway, 0.7 s may be over before, and the hash itself takes its part. */
  waitAtMostMs?: number
  /** Told how long work waited when its turn comes. */
  onTurn?: (waitedMs: number) => void
  onRefused?: () => void
  /** The refusal when the queue is full or too slow. */
  refusedSentence?: string
}

/** Password hashing is slow on purpose; unbounded, a storm of sign-ins would starve everything else. */
export function createHashQueue({
  concurrency = 2,
  capacity = 32,
  waitAtMostMs = 800,
  onTurn,
  onRefused,
  refusedSentence = 'Many people are signing in right now. Please try again in a moment.',
}: HashQueueOptions = {}): HashQueue {
  const semaphore = createSemaphore({ permits: concurrency })

  const refusal = () => {
    onRefused?.()
    return new AppError('rate-limited', 'too_many_requests', refusedSentence)
  }

  return {
    async run(work) {
      const arrivedMs = performance.now()
      const permit =
        semaphore.tryAcquire() ?? (await semaphore.acquire({ timeoutMs: waitAtMostMs, maxQueued: capacity }))
      if (!permit) throw refusal()
      onTurn?.(performance.now() - arrivedMs)
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
