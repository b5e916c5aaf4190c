import { AppError } from '@sumlock/service-kit/app-error'

/** Runs a hashing job when its turn comes. */
export type InTurn = <T>(job: () => Promise<T>) => Promise<T>

export interface HashQueue {
  /** Keeps a turn for work that hashes once; throws 429 at once, before the work begins, when it would come too late. */
  admit<T>(work: (inTurn: InTurn) => Promise<T>): Promise<T>
  /** The same for work that is nothing but hashing. */
  run: InTurn
  readonly waiting: number
}

export interface HashQueueOptions {
  concurrency?: number
  /** How many may wait for their turn. */
  capacity?: number
  /** Nobody is let in whose turn would come later than that, by the time the last jobs took. */
  patienceMs?: number
  /** Told how long a job waited when its turn comes. */
  onTurn?: (waitedMs: number) => void
  onRefused?: () => void
}

/** Weight of the last job in the moving average of what a job takes. */
const weightOfLast = 0.2

/** Password hashing is slow on purpose; unbounded, a storm of sign-ins would starve everything else. */
export function createHashQueue({
  concurrency = 2,
  capacity = 64,
  patienceMs = 1500,
  onTurn,
  onRefused,
}: HashQueueOptions = {}): HashQueue {
  let active = 0
  /** Turns kept or under way. */
  let admitted = 0
  let jobMs = 0
  const queue: (() => void)[] = []

  const inTurn: InTurn = async (job) => {
    const arrivedMs = performance.now()
    if (active >= concurrency) await new Promise<void>((resolve) => queue.push(resolve))
    else active += 1
    const startedMs = performance.now()
    onTurn?.(startedMs - arrivedMs)
    try {
      return await job()
    } finally {
      const tookMs = performance.now() - startedMs
      jobMs = jobMs === 0 ? tookMs : jobMs + weightOfLast * (tookMs - jobMs)
      const next = queue.shift()
      if (next) next()
      else active -= 1
    }
  }

  async function admit<T>(work: (inTurn: InTurn) => Promise<T>): Promise<T> {
    const ahead = Math.max(0, admitted + 1 - concurrency)
    // guard: hash-queue
    if (ahead > capacity || (ahead * jobMs) / concurrency > patienceMs) {
      onRefused?.()
      throw new AppError(
        'rate-limited',
        'too_many_requests',
        'Many people are signing in right now. Please try again in a moment.',
      )
    }
    admitted += 1
    let had = false
    const leave = () => {
      if (!had) admitted -= 1
      had = true
    }
    try {
      return await work((job) => inTurn(job).finally(leave))
    } finally {
      leave()
    }
  }

  return {
    admit,
    run: (job) => admit((inTurn) => inTurn(job)),
    get waiting() {
      return queue.length
    },
  }
}
