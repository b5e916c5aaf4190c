import type { Context } from '../context.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Stores = Pick<Context, 'sessions' | 'phoneVerifications' | 'mailLinks' | 'sendLimits' | 'signInAttempts'>

/**
 * Deletes expired sessions, phone verifications, links and counters. Resolves with the number of rows that each sweep
 * changed. If a sweep fails, the others still run, and an error is thrown at the end.
 */
export async function pruneDue(stores: Stores, now: Date, stopping?: AbortSignal) {
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  const { sessions, phoneVerifications, mailLinks, sendLimits, signInAttempts } = stores
  const sweeps = {
    sessions: () => sessions.pruneExpired(before(dayMs), stopping),
    copyKeys: () => sessions.forgetCopyKeys(now, stopping),
    idleDevices: () => sessions.forgetIdleDevices(now, stopping),
    phoneVerifications: () => phoneVerifications.pruneExpired(before(hourMs), stopping),
    mailLinks: () => mailLinks.pruneExpired(now, stopping),
    sendLimits: () => sendLimits.prune(now, stopping),
    signInAttempts: () => signInAttempts.prune(before(dayMs), stopping),
  }
  const changed: Record<string, number> = {}
  const failures: string[] = []
  for (const [name, sweep] of Object.entries(sweeps)) {
    try {
      changed[name] = await sweep()
    } catch (error) {
      failures.push(`${name}: ${String((error as Error).message)}`)
    }
  }
  if (failures.length > 0) throw new Error(failures.join('; '))
  return changed
}
