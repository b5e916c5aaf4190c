import { AppError } from '@sumlock/service-kit/app-error'
import type { ServiceName } from '@sumlock/contracts/route'
import type { Clock } from '@sumlock/service-kit/clock'
import { createLru } from '@sumlock/service-kit/lru'
import { createExchangeHistory } from './exchange-history.ts'

export interface GatewaySession {
  /** Maps each service to the token that it accepts. */
  tokens: Readonly<Partial<Record<ServiceName, string>>>
  sid: string
  userId: string
  /** All times here are milliseconds since 1970. This one is 0 while the session is locked. */
  unlockedUntilMs: number
  isAdmin: boolean
  passwordGivenAtMs: number
  /** The tokens are valid until this time. */
  expiresAtMs: number
}

export interface SessionCache {
  /**
   * Resolves with the session of a cookie; null when there is none. A remembered session that does not satisfy `isEnough`,
   * such as a locked one where an unlocked one is required, is exchanged at auth again. Throws `unavailable` when auth does
   * not answer.
   */
  identify(cookie: string, isEnough?: (identity: GatewaySession) => boolean): Promise<GatewaySession | null>
  /** Returns the owner that auth last named for this cookie; undefined when auth has refused the cookie since. */
  ownerOf(cookie: string): Pick<GatewaySession, 'userId' | 'sid'> | undefined
  forgetCookie(cookie: string): void
  forgetSession(sid: string): void
  forgetAll(): void
}

/** An identity comes from the cache ('hit'), from a new exchange at auth ('miss') or from an exchange in progress ('joined'). */
export type Lookup = 'hit' | 'miss' | 'joined'

export interface SessionCacheOptions {
  /** Returns whether auth has listed the changed sessions within the last four seconds. */
  isFollowing: () => boolean
  capacity?: number
  onLookup?: (lookup: Lookup) => void
  /** Returns a number from 0 to 1. */
  random?: () => number
}

/** The cache keeps this many identities and evicts the least recently used one. */
export const rememberedSessions = 20_000
/** An identity is remembered for this time from the start of its exchange. */
const rememberedMs = { following: 30_000, alone: 4000 }
/** After a renewal that auth did not answer, the next one waits for this time. */
const retryMs = 1000
/** A token is not sent in its last seconds, because a slow request or another clock could find it expired. */
const tokenReserveMs = 5000

interface Entry {
  identity: GatewaySession
  askedAtMs: number
  /** The first use after this time renews the identity. */
  renewAtMs: number
  /** The exchange with this number brought the identity; 0 means that the identity was forgotten. */
  number: number
}

interface Exchange {
  /** Exchanges are numbered in the order in which they start. */
  number: number
  /** The session was forgotten after the exchange started, so the answer may show an older state. */
  isOutdated: boolean
  answer: Promise<GatewaySession | null>
}

/**
 * Remembers exchanged tokens for 30 s while session changes are followed, else for 4 s. A session in use is renewed in the
 * background, from a random moment of the last third on, so that sessions of one burst are not renewed in one burst again.
 * Each cookie has one exchange at a time. An answer to an exchange that started before its session was forgotten is used
 * once and not remembered.
 */
export function createSessionCache(
  exchange: (cookie: string) => Promise<GatewaySession>,
  clock: Clock,
  { isFollowing, capacity = rememberedSessions, onLookup, random = Math.random }: SessionCacheOptions,
): SessionCache {
  const history = createExchangeHistory()
  const { entries, add, cookieOf } = createRemembered(history, { capacity, random })
  const exchanges = new Map<string, Exchange>()

  const isFresh = (entry: Entry): boolean =>
    !history.isBeforeReset(entry.number) && isUsable(entry, clock.nowMs(), isFollowing())

  const start = (cookie: string): Exchange => {
    const askedAtMs = clock.nowMs()
    const started = { number: history.start(), isOutdated: false } as Exchange
    exchanges.set(cookie, started)
    started.answer = nullWhenRefused(exchange(cookie))
      .then((identity) => {
        if (identity) add(cookie, identity, askedAtMs, started)
        else entries.delete(cookie)
        return identity
      })
      .finally(() => {
        if (exchanges.get(cookie) === started) exchanges.delete(cookie)
        history.end(started.number)
      })
    return started
  }

  const joinOrStart = (cookie: string): Exchange => {
    const joined = exchanges.get(cookie)
    onLookup?.(joined ? 'joined' : 'miss')
    return joined ?? start(cookie)
  }

  const renew = (cookie: string, entry: Entry) => {
    if (clock.nowMs() < entry.renewAtMs || !isFollowing() || exchanges.has(cookie)) return
    start(cookie).answer.catch(() => (entry.renewAtMs = clock.nowMs() + retryMs))
  }

  /** Keeps the owner for `ownerOf`, but makes the next request ask auth again. */
  const forgetCookie = (cookie: string) => {
    const entry = entries.peek(cookie)
    if (entry) entry.number = 0
    const running = exchanges.get(cookie)
    if (!running) return
    running.isOutdated = true
    exchanges.delete(cookie)
  }

  return {
    async identify(cookie, isEnough = () => true) {
      const entry = entries.get(cookie)
      if (entry && isFresh(entry) && isEnough(entry.identity)) {
        onLookup?.('hit')
        renew(cookie, entry)
        return entry.identity
      }
      const lastBefore = history.last()
      const running = joinOrStart(cookie)
      const identity = await running.answer
      if (running.number > lastBefore || !identity || (!running.isOutdated && isEnough(identity)))
        return identity
      // Any exchange that is in progress now started after this call, so its answer is new enough.
      return joinOrStart(cookie).answer
    },
    ownerOf: (cookie) => entries.peek(cookie)?.identity,
    forgetCookie,
    forgetSession(sid) {
      const cookie = cookieOf(sid)
      if (cookie === undefined) history.forget(sid)
      else forgetCookie(cookie)
    },
    forgetAll: history.reset,
  }
}

/** Remembers identities by cookie, and finds the cookie of a session. */
function createRemembered(
  history: Pick<ReturnType<typeof createExchangeHistory>, 'isForgotten'>,
  { capacity, random }: { capacity: number; random: () => number },
) {
  const cookies = new Map<string, string>()
  const entries = createLru<string, Entry>(capacity, ({ identity }) => cookies.delete(identity.sid))
  return {
    entries,
    add(cookie: string, identity: GatewaySession, askedAtMs: number, running: Exchange) {
      if (history.isForgotten(running.number, identity.sid)) running.isOutdated = true
      if (running.isOutdated && entries.has(cookie)) return
      const renewAtMs = renewalOf(identity, askedAtMs, random)
      entries.set(cookie, { identity, askedAtMs, renewAtMs, number: running.isOutdated ? 0 : running.number })
      cookies.set(identity.sid, cookie)
    },
    cookieOf: (sid: string) => cookies.get(sid),
  }
}

function isUsable({ identity, askedAtMs }: Entry, nowMs: number, isFollowing: boolean): boolean {
  const limitMs = isFollowing ? rememberedMs.following : rememberedMs.alone
  return nowMs - askedAtMs < limitMs && identity.expiresAtMs - nowMs > tokenReserveMs
}

/** Returns a random moment in the last third of the time for which an identity is remembered. */
function renewalOf({ expiresAtMs }: GatewaySession, askedAtMs: number, random: () => number): number {
  const lastsMs = Math.min(rememberedMs.following, expiresAtMs - tokenReserveMs - askedAtMs)
  return askedAtMs + (lastsMs * (2 + random())) / 3
}

async function nullWhenRefused(identity: Promise<GatewaySession>): Promise<GatewaySession | null> {
  try {
    return await identity
  } catch (error) {
    if (error instanceof AppError && error.kind === 'unauthenticated') return null
    throw error
  }
}
