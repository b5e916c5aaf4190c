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
  /**
   * Who is behind a session cookie; null when nobody. What is not `enough` (known as locked, while it has to be unlocked)
   * counts only when auth was asked after this call. Throws `unavailable` when auth does not answer.
   */
  identify(cookie: string, isEnough?: (identity: Identity) => boolean): Promise<Identity | null>
  /** The person auth last named for this cookie, unless it has taken that back since. */
  personOf(cookie: string): string | undefined
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

interface Question {
  /** Questions are numbered as they are sent. */
  number: number
  answer: Promise<Identity | null>
}

/**
 * Uses an exchanged token for four seconds at most. One exchange at a time per cookie; an answer that was asked
 * for before something was forgotten is used but not remembered, for it may be older than what made us forget.
 */
export function createSessionCache(
  exchange: (cookie: string) => Promise<Identity>,
  clock: Clock,
  { capacity = 50_000, onLookup }: SessionCacheOptions = {},
): SessionCache {
  const entries = new Lru<string, Entry>(capacity)
  const underWay = new Map<string, Question>()
  let generation = 0
  let sent = 0

  const answerOf = async (cookie: string): Promise<Identity | null> => {
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
      if (error instanceof AppError && error.kind === 'unauthenticated') {
        entries.delete(cookie)
        return null
      }
      throw error
    }
  }
  const ask = (cookie: string): Question => {
    const answer = answerOf(cookie).finally(() => {
      if (underWay.get(cookie) === question) underWay.delete(cookie)
    })
    const question = { number: (sent += 1), answer }
    underWay.set(cookie, question)
    return question
  }
  /** Nobody is let in by what was remembered; that auth knew them is kept. */
  const forget = (these: Iterable<Entry>, isMeant = (_: Entry) => true) => {
    generation += 1
    // What is under way may carry the old answer: the next caller asks anew.
    // guard: ask-anew
    underWay.clear()
    for (const entry of these) if (isMeant(entry)) entry.freshUntilMs = 0
  }

  return {
    async identify(cookie, isEnough = () => true) {
      const entry = entries.get(cookie)
      // guard: fresh-is-fresh
      if (entry && entry.freshUntilMs > clock.nowMs() && isEnough(entry.identity)) {
        onLookup?.('hit')
        return entry.identity
      }
      const sentBefore = sent
      // Twice at most: whoever waited for a question from before finds one sent since, or sends it for all who waited.
      for (;;) {
        const running = underWay.get(cookie)
        onLookup?.(running ? 'joined' : 'miss')
        const { number, answer } = running ?? ask(cookie)
        const identity = await answer
        // guard: asked-since
        if (number > sentBefore || !identity || isEnough(identity)) return identity
      }
    },
    personOf: (cookie) => entries.get(cookie)?.identity.userId,
    forgetCookie: (cookie) => {
      const entry = entries.get(cookie)
      forget(entry ? [entry] : [])
    },
    forgetSession: (sid) => forget(entries.values(), ({ identity }) => identity.sid === sid),
    forgetAll: () => forget(entries.values()),
  }
}
