import { createSemaphore } from '@sumlock/service-kit/semaphore'
import type { Semaphore } from '@sumlock/service-kit/semaphore'

export interface Targets {
  /**
   * Returns the replicas that are up, or all when none is. Each call begins with the next one. With a `preference` the order is always
   * the same for that value, and a replica that comes or goes does not change the order of the others (rendezvous hashing).
   */
  inOrder(preference?: string): readonly string[]
  /** Returns the next replica that is up and not in `tried`; if there is none, one that is down or was tried. */
  next(tried?: ReadonlySet<string>): string
  /** Leaves out a replica that cannot be reached for a second. */
  reportDown(url: string): void
  /** Leaves out a replica that is stopping until it has closed its port or was started again. */
  reportStopping(url: string): void
  isDown(url: string): boolean
  has(url: string): boolean
  readonly count: number
  /** Replaces the list; returns false when it is the same. Replicas that stay keep their health. */
  replace(urls: readonly string[]): boolean
}

const leaveOutMs = { down: 1000, stopping: 5000 }
const none: ReadonlySet<string> = new Set()

function byRank(urls: readonly string[], preference: string): string[] {
  if (urls.length < 2) return [...urls]
  const rankOf = new Map(urls.map((url) => [url, hash(preference + url)]))
  return urls.toSorted((a, b) => (rankOf.get(b) ?? 0) - (rankOf.get(a) ?? 0))
}

/** 32 bits; FNV-1a with the last step of MurmurHash3, because the addresses differ in their last characters only. */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}

/** Round robin over replicas with passive health checks. When all of them are down it keeps trying. */
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

/** Grants permits whose target is the replica to use. */
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
