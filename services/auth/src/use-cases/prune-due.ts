import type { Context } from '../context.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Stores = Pick<Context, 'sessions' | 'phoneVerifications' | 'phoneCodeLimits' | 'signInAttempts'>

/** Deletes what is over: sessions, phone numbers that nobody proves any more, and counters. How many rows of each. */
export async function pruneDue(stores: Stores, now: Date) {
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  return {
    // Revoked sessions stay until their cookie is over, too: it tells a known device at sign-in.
    sessions: await stores.sessions.pruneExpired(before(dayMs)),
    phoneVerifications: await stores.phoneVerifications.pruneExpired(before(hourMs)),
    phoneCodeLimits: await stores.phoneCodeLimits.prune(now),
    signInAttempts: await stores.signInAttempts.prune(before(dayMs)),
  }
}
