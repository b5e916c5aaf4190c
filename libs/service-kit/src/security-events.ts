import { createHmac } from 'node:crypto'
import { Counter } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Logger } from './logger.ts'

export const securityEvents = [
  'signed-in',
  'wrong-password',
  'password-paused',
  'stepped-up',
  'step-up-refused',
  'unlocked',
  'wrong-number',
  'number-refused',
  'session-revoked',
  'csrf-refused',
  'access-refused',
] as const
export type SecurityEvent = (typeof securityEvents)[number]

export interface SecurityEvents {
  /** Counts an event and logs one line, with a keyed hash of the account if that is known. Never throws. */
  note(this: void, event: SecurityEvent, userId?: string): void
}

/** `key` is a secret of the service. Without it, nobody can find the account from a log line. */
export function createSecurityEvents(options: {
  registry: Registry
  logger: Pick<Logger, 'info'>
  key: string | Buffer
}): SecurityEvents {
  const { registry, logger, key } = options
  const counter = new Counter({
    name: 'security_events_total',
    help: 'Sign-ins, unlocks, wrong or refused passwords and numbers, step-ups, revoked sessions, and refusals of CSRF and of access',
    labelNames: ['event'] as const,
    registers: [registry],
  })
  for (const event of securityEvents) counter.inc({ event }, 0)
  const hashOf = (userId: string) =>
    createHmac('sha256', key).update(`security-events:${userId}`).digest('base64url').slice(0, 22)
  return {
    note(event, userId) {
      counter.inc({ event })
      logger.info({ event, ...(userId !== undefined && { account: hashOf(userId) }) }, 'security event')
    },
  }
}
