/** A permit is the right to do one piece of work on a target. */
export interface Permit {
  /** The permit counts for this target. */
  readonly target: string
  /** Gives the permit to the caller that has waited longest. A second call does nothing. */
  release(this: void): void
}

export interface SemaphoreOptions {
  /** Each target has this many permits. */
  permits: number
  /** Returns the targets in the order in which they are tried. When absent, there is a single target. */
  targets?: (preference?: string) => readonly string[]
}

export interface AcquireOptions {
  timeoutMs: number
  /** With so many callers in the queue, a further one is refused at once. */
  maxQueued?: number
  /** An abort removes the caller from the queue, or releases its permit. */
  signal?: AbortSignal
  /** Passed to `targets` when a permit is free. A caller that has to wait gets the first free permit of any target. */
  preference?: string | undefined
  /** Called when the caller has entered the queue. */
  onQueued?: (() => void) | undefined
}

export interface Semaphore {
  /** Returns a permit, or undefined when none is free or callers are queued. */
  tryAcquire(): Permit | undefined
  /**
   * Waits for a permit in FIFO order. Resolves with null after `timeoutMs`, after an abort, or when the queue is
   * full. Never rejects.
   */
  acquire(options: AcquireOptions): Promise<Permit | null>
  readonly queued: number
}

const singleTarget = ['']

/** Limits the work that runs at once, for each target apart. */
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
      // Targets come and go, so the map holds only those with permits in use.
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
      // `targets` may return more targets than at the last release.
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
        // The timeout comes after the pending I/O events. In a process that got no CPU for a while, these may release
        // permits.
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
