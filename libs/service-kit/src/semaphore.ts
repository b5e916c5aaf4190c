/** The right to do one piece of work. */
export interface Permit {
  /** The target it was taken from. */
  readonly target: string
  /** Hands the permit to the caller that waits longest. A second call does nothing. */
  release(this: void): void
}

export interface SemaphoreOptions {
  /** Permits of each target. */
  permits: number
  /** The targets in the order in which a caller tries them; a single target when absent. */
  targets?: (preference?: string) => readonly string[]
}

export interface AcquireOptions {
  timeoutMs: number
  /** The most callers in the queue; a further one is refused at once. */
  maxQueued?: number
  /** An abort leaves the queue, or releases the permit. */
  signal?: AbortSignal
  /** Passed to `targets`, unless the caller has to wait: then it takes whatever comes first. */
  preference?: string | undefined
  /** Called when no permit is free, once the caller waits in the queue. */
  onQueued?: (() => void) | undefined
}

export interface Semaphore {
  /** A permit that is free now; undefined when none is, or while others wait. */
  tryAcquire(): Permit | undefined
  /** Waits in FIFO order; null after `timeoutMs`, after an abort, or when the queue is full. Never rejects. */
  acquire(options: AcquireOptions): Promise<Permit | null>
  readonly queued: number
}

const singleTarget = ['']

/** Limits how much work runs at once. */
export function createSemaphore({ permits, targets = () => singleTarget }: SemaphoreOptions): Semaphore {
  const inUse = new Map<string, number>()
  const queue = new Set<(permit: Permit) => void>()

  const take = (preference?: string): Permit | undefined => {
    const target = targets(preference).find((name) => (inUse.get(name) ?? 0) < permits)
    if (target === undefined) return undefined
    inUse.set(target, (inUse.get(target) ?? 0) + 1)
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      const left = (inUse.get(target) ?? 1) - 1
      // Slots come and go: only those in use are kept.
      if (left > 0) inUse.set(target, left)
      else inUse.delete(target)
      serveQueue()
    }
    return { target, release }
  }
  const serveQueue = () => {
    for (const grant of queue) {
      const permit = take()
      if (!permit) return
      grant(permit)
    }
  }

  const tryAcquire = (preference?: string) => (queue.size > 0 ? undefined : take(preference))

  return {
    tryAcquire: () => tryAcquire(),
    acquire({ timeoutMs, maxQueued = Infinity, signal, preference, onQueued }) {
      // A target may have come back since the last release.
      serveQueue()
      const permit = signal?.aborted ? undefined : tryAcquire(preference)
      if (permit) return Promise.resolve(releaseOnAbort(permit, signal))
      if (signal?.aborted || queue.size >= maxQueued) return Promise.resolve(null)
      return new Promise((resolve) => {
        const settle = (granted: Permit | null) => {
          clearTimeout(timer)
          queue.delete(settle)
          signal?.removeEventListener('abort', giveUp)
          resolve(granted && releaseOnAbort(granted, signal))
        }
        const giveUp = () => {
          if (queue.has(settle)) settle(null)
        }
        // Runs after the pending I/O events, because a process that got no CPU for a while may be about to release permits.
        const timer = setTimeout(() => setImmediate(giveUp), timeoutMs)
        signal?.addEventListener('abort', giveUp, { once: true })
        queue.add(settle)
        onQueued?.()
      })
    },
    get queued() {
      return queue.size
    },
  }
}

function releaseOnAbort(permit: Permit, signal: AbortSignal | undefined): Permit {
  if (!signal) return permit
  const release = () => {
    signal.removeEventListener('abort', release)
    permit.release()
  }
  signal.addEventListener('abort', release, { once: true })
  return { target: permit.target, release }
}
