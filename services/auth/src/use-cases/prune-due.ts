import type { Context } from '../context.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Stores = Pick<Context, 'sessions' | 'phoneVerifications' | 'mailLinks' | 'sendLimits' | 'signInAttempts'>

/** Deletes expired sessions, phone verifications, links and counters. Returns how many rows each changed. */
export async function pruneDue(stores: Stores, now: Date, stopping?: AbortSignal) {
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  return {
    // Revoked sessions stay until their cookie expires, because sign-in recognises a known device by it.
    sessions: await stores.sessions.pruneExpired(before(dayMs), stopping),
    copyKeys: await stores.sessions.forgetCopyKeys(now, stopping),
    idleDevices: await stores.sessions.forgetIdleDevices(now, stopping),
    phoneVerifications: await stores.phoneVerifications.pruneExpired(before(hourMs), stopping),
    mailLinks: await stores.mailLinks.pruneExpired(now, stopping),
    sendLimits: await stores.sendLimits.prune(now, stopping),
    signInAttempts: await stores.signInAttempts.prune(before(dayMs), stopping),
  }
}
