import { AppError } from '@sumlock/service-kit/app-error'
import type { Clock } from '@sumlock/service-kit/clock'
import { createLru } from '@sumlock/service-kit/lru'

export interface Identity {
  token: string
  sid: string
  userId: string
  /** Milliseconds since the epoch, as the following; 0 while locked. */
  unlockedUntilMs: number
  isAdmin: boolean
  signedInAtMs: number
  /** When the token ends. */
  expiresAtMs: number
}

export interface SessionCache {
  /**
   * The session of a cookie; null when there is none. A remembered one for which `isEnough` is false (locked, where it has
   * to be unlocked) is asked for again after this call. Throws `unavailable` when auth does not answer.
   */
  identify(cookie: string, isEnough?: (identity: Identity) => boolean): Promise<Identity | null>
  /** The owner that auth last named for this cookie, unless it has refused the cookie since. */
  ownerOf(cookie: string): Pick<Identity, 'userId' | 'sid'> | undefined
  forgetCookie(cookie: string): void
  forgetSession(sid: string): void
  forgetAll(): void
}

/** How an identity was found: in the cache, by asking auth, or by joining an exchange that was already running. */
export type Lookup = 'hit' | 'miss' | 'joined'

export interface SessionCacheOptions {
  /** Whether auth has listed the changed sessions within the last four seconds. */
  isFollowing: () => boolean
  capacity?: number
  onLookup?: (lookup: Lookup) => void
}

/** How long an identity is remembered, from when it was asked for. */
const rememberedMs = { following: 30_000, alone: 4000 }
/** A token is not sent in its last seconds: a slow request or another clock could find it expired. */
const tokenReserveMs = 5000

interface Entry {
  identity: Identity
  askedAtMs: number
  /** The number of its question; 0 once it was forgotten. */
  number: number
}

interface Question {
  /** Questions are numbered as they are sent. */
  number: number
  /** Its session was forgotten after it was sent: the answer may be from before. */
  isOutdated: boolean
  answer: Promise<Identity | null>
}

/**
 * Remembers exchanged tokens for 30 s while session changes are followed, else for 4 s. One exchange at a time per
 * cookie. An answer that was asked for before its session was forgotten is used, but not remembered.
 */
export function createSessionCache(
  exchange: (cookie: string) => Promise<Identity>,
  clock: Clock,
  { isFollowing, capacity = 50_000, onLookup }: SessionCacheOptions,
): SessionCache {
  const cookieOf = new Map<string, string>()
  const entries = createLru<string, Entry>(capacity, ({ identity }) => cookieOf.delete(identity.sid))
  const questions = new Map<string, Question>()
  /** The numbers of all questions without an answer, in order. */
  const running = new Set<number>()
  /** Sessions forgotten while their cookie was unknown, with the number of the last question before that, ascending. */
  const forgottenAfter = new Map<string, number>()
  let allForgottenAfter = 0
  let sent = 0

  const isFresh = ({ identity, askedAtMs, number }: Entry): boolean => {
    const nowMs = clock.nowMs()
    const limitMs = isFollowing() ? rememberedMs.following : rememberedMs.alone
    const isUsable = identity.expiresAtMs - nowMs > tokenReserveMs
    return number > allForgottenAfter && nowMs - askedAtMs < limitMs && isUsable
  }

  const remember = (cookie: string, identity: Identity, askedAtMs: number, question: Question) => {
    const { number } = question
    if (number <= Math.max(allForgottenAfter, forgottenAfter.get(identity.sid) ?? 0))
      question.isOutdated = true
    if (question.isOutdated && entries.has(cookie)) return
    entries.set(cookie, { identity, askedAtMs, number: question.isOutdated ? 0 : number })
    cookieOf.set(identity.sid, cookie)
  }

  const settle = (cookie: string, question: Question) => {
    if (questions.get(cookie) === question) questions.delete(cookie)
    running.delete(question.number)
    const [oldest = Infinity] = running
    for (const [sid, number] of forgottenAfter) {
      if (number >= oldest) break
      forgottenAfter.delete(sid)
    }
  }

  const ask = (cookie: string): Question => {
    const askedAtMs = clock.nowMs()
    const answerOf = async (): Promise<Identity | null> => {
      try {
        const identity = await exchange(cookie)
        remember(cookie, identity, askedAtMs, question)
        return identity
      } catch (error) {
        if (error instanceof AppError && error.kind === 'unauthenticated') {
          entries.delete(cookie)
          return null
        }
        throw error
      } finally {
        settle(cookie, question)
      }
    }
    const question = { number: (sent += 1), isOutdated: false } as Question
    running.add(question.number)
    questions.set(cookie, question)
    question.answer = answerOf()
    return question
  }

  /** Keeps the owner, but the next request has to ask auth again. */
  const forgetCookie = (cookie: string) => {
    const entry = entries.peek(cookie)
    if (entry) entry.number = 0
    const question = questions.get(cookie)
    if (!question) return
    question.isOutdated = true
    questions.delete(cookie)
  }

  return {
    async identify(cookie, isEnough = () => true) {
      const entry = entries.get(cookie)
      if (entry && isFresh(entry) && isEnough(entry.identity)) {
        onLookup?.('hit')
        return entry.identity
      }
      const sentBefore = sent
      // At most twice: the second question was sent after this call.
      for (;;) {
        const joined = questions.get(cookie)
        onLookup?.(joined ? 'joined' : 'miss')
        const question = joined ?? ask(cookie)
        const identity = await question.answer
        if (question.number > sentBefore || !identity || (!question.isOutdated && isEnough(identity)))
          return identity
      }
    },
    ownerOf: (cookie) => entries.peek(cookie)?.identity,
    forgetCookie,
    forgetSession: (sid) => {
      const cookie = cookieOf.get(sid)
      if (cookie !== undefined) forgetCookie(cookie)
      else if (running.size > 0) {
        // Moves the entry to the end: the map stays ordered by number.
        forgottenAfter.delete(sid)
        forgottenAfter.set(sid, sent)
      }
    },
    forgetAll: () => {
      allForgottenAfter = sent
    },
  }
}
