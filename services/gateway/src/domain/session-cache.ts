import { limits } from '@sumlock/contracts/limits'
import { AppError } from '@sumlock/service-kit/app-error'
import type { Clock } from '@sumlock/service-kit/clock'
import { Lru } from './lru.ts'

export interface Identity {
  token: string
  sid: string
  userId: string
  /** Milliseconds since the epoch; 0 while locked. */
  unlockedUntilMs: number
}

interface Entry {
  identity: Identity
  freshUntilMs: number
}

export interface SessionCache {
  /** Who is behind a session cookie; null when nobody. Throws `unavailable` when auth does not answer. */
  identify(cookie: string, options?: { fresh?: boolean }): Promise<Identity | null>
  forgetCookie(cookie: string): void
  forgetSession(sid: string): void
  forgetAll(): void
}

/** How an identity was found: remembered, asked for, or with a question that was under way. */
export type Lookup = 'hit' | 'miss' | 'joined'

export interface SessionCacheOptions {
  capacity?: number
  onLookup?: (lookup: Lookup) => void
}

/**
 * Remembers exchanged tokens for five seconds at most. One exchange at a time per cookie; an answer that was asked
 * for before something was forgotten is used but not remembered, for it may be older than what made us forget.
 */
export function createSessionCache(
  exchange: (cookie: string) => Promise<Identity>,
  clock: Clock,
  { capacity = 50_000, onLookup }: SessionCacheOptions = {},
): SessionCache {
  const entries = new Lru<string, Entry>(capacity)
  const underWay = new Map<string, Promise<Identity | null>>()
  let generation = 0

  const ask = async (cookie: string): Promise<Identity | null> => {
    const askedIn = generation
    try {
      const identity = await exchange(cookie)
      // guard: no-old-answer
      if (generation === askedIn) {
        // guard: short-memory
        entries.set(cookie, { identity, freshUntilMs: clock.nowMs() + limits.tokenCacheSeconds * 1000 })
      }
      return identity
    } catch (error) {
      // guard: away-is-not-nobody
      if (error instanceof AppError && error.kind === 'unauthenticated') return null
      throw error
    }
  }
  const forget = (work: () => void) => {
    generation += 1
    // What is under way may carry the old answer: the next caller asks anew.
    // guard: ask-anew
    underWay.clear()
    work()
  }

  return {
    identify(cookie, { fresh = false } = {}) {
      // guard: fresh-is-fresh
      const entry = fresh ? undefined : entries.get(cookie)
      const isFresh = entry !== undefined && entry.freshUntilMs > clock.nowMs()
      const running = fresh ? undefined : underWay.get(cookie)
      onLookup?.(isFresh ? 'hit' : running ? 'joined' : 'miss')
      if (isFresh) return Promise.resolve(entry.identity)
      if (running) return running
      const asked = ask(cookie).finally(() => {
        if (underWay.get(cookie) === asked) underWay.delete(cookie)
      })
      underWay.set(cookie, asked)
      return asked
    },
    forgetCookie: (cookie) => forget(() => entries.delete(cookie)),
    forgetSession: (sid) => forget(() => entries.deleteWhere(({ identity }) => identity.sid === sid)),
    forgetAll: () => forget(() => entries.clear()),
  }
}
