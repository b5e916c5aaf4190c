import { createSemaphore } from '@sumlock/service-kit/semaphore'
import type { Semaphore } from '@sumlock/service-kit/semaphore'

export interface Targets {
  /**
   * Returns the replicas that are up, or all when none is up. Each call begins with the next replica. With a `preference`,
   * the order is always the same for that value, and a replica that comes or goes does not change the order of the others
   * (rendezvous hashing).
   */
  inOrder(preference?: string): readonly string[]
  /** Returns the next replica that is up and not in `tried`; if there is none, one that is down or was tried. */
  next(tried?: ReadonlySet<string>): string
  /** Leaves out an unreachable replica for one second. */
  reportDown(url: string): void
  /** Leaves out a stopping replica for five seconds, in which it closes its port or is started again. */
  reportStopping(url: string): void
  isDown(url: string): boolean
  has(url: string): boolean
  readonly count: number
  /** Replaces the list of replicas. Returns false when the list is the same. Replicas that stay in the list remain up or down. */
  replace(urls: readonly string[]): boolean
}

const leaveOutMs = { down: 1000, stopping: 5000 }
const none: ReadonlySet<string> = new Set()

function byRank(urls: readonly string[], preference: string): string[] {
  if (urls.length < 2) return [...urls]
  const rankOf = new Map(urls.map((url) => [url, hash(preference + url)]))
  return urls.toSorted((a, b) => (rankOf.get(b) ?? 0) - (rankOf.get(a) ?? 0))
}

/**
 * Returns 32 bits of FNV-1a, mixed by the last step of MurmurHash3, because FNV-1a alone mixes the last characters too
 * little and the addresses of replicas differ only there.
 */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}

/** Chooses replicas in turn, and leaves out those that were reported as down or stopping. When all are down, it tries all of them. */
export function createTargets(
  initialUrls: readonly string[],
  nowMs: () => number = () => performance.now(),
): Targets {
  let urls = initialUrls
  const downUntil = new Map<string, number>()
  const isDown = (url: string) => (downUntil.get(url) ?? 0) > nowMs()
  let turn = 0
  const rotate = () => {
    const start = turn % urls.length
    turn += 1
    return [...urls.slice(start), ...urls.slice(0, start)]
  }
  return {
    inOrder(preference) {
      const all = preference === undefined ? rotate() : byRank(urls, preference)
      const up = all.filter((url) => !isDown(url))
      return up.length > 0 ? up : all
    },
    next(tried = none) {
      const all = rotate()
      const untried = all.filter((url) => !tried.has(url))
      return untried.find((url) => !isDown(url)) ?? untried[0] ?? (all[0] as string)
    },
    reportDown: (url) => downUntil.set(url, nowMs() + leaveOutMs.down),
    reportStopping: (url) => downUntil.set(url, nowMs() + leaveOutMs.stopping),
    isDown,
    has: (url) => urls.includes(url),
    get count() {
      return urls.length
    },
    replace(next) {
      if (next.length === urls.length && next.every((url) => urls.includes(url))) return false
      urls = next
      for (const url of downUntil.keys()) if (!next.includes(url)) downUntil.delete(url)
      return true
    },
  }
}

/** `acquire` grants a permit to use one replica, which is the permit's `target`. */
export type Bulkhead = Pick<Semaphore, 'acquire'>

/** A replica handles this many requests in about a second; later ones would be answered too late. */
const maxQueuedByDefault = 1000

/**
 * Allows each replica `maxConcurrency` requests in flight and queues up to `maxQueued` more in FIFO order; others are refused at
 * once. Node accepts one new connection per turn of its event loop: without this cap, requests on new connections to a busy
 * replica starve behind requests on open ones.
 */
export function createBulkhead(
  targets: Targets,
  maxConcurrency: number,
  maxQueued = maxQueuedByDefault,
): Bulkhead {
  const { acquire } = createSemaphore({ permits: maxConcurrency, targets: targets.inOrder })
  return { acquire: (options) => acquire({ maxQueued, ...options }) }
}
