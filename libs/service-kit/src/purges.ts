import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import { acknowledgePurge, getPurge } from '@sumlock/contracts/internal-routes'
import type { InternalClient } from './internal-client.ts'
import type { Logger } from './logger.ts'
import type { UnconfirmedRecords } from './unconfirmed-records.ts'

/** A service that holds data of deleted people makes these calls to auth. */
export interface Purges {
  /**
   * Asks auth whether the person is to be erased. Resolves with null if not; the request is then logged and counted.
   * Throws `unavailable` while auth is away.
   */
  confirm(this: void, userId: string): Promise<{ isRepeated: boolean } | null>
  /** Reports to auth that this service has erased all data of the person. Throws `unavailable` while auth is away. */
  acknowledge(this: void, userId: string): Promise<void>
}

/** Anybody who can write to Kafka could request the erasure of a person, so auth has to confirm it. */
export function createPurges(options: {
  auth: InternalClient
  unconfirmed: UnconfirmedRecords
  logger: Logger
}): Purges {
  const { auth, unconfirmed, logger } = options
  return {
    async confirm(userId) {
      const { isDue, isRepeated } = await auth.call(getPurge, { params: { userId } })
      if (isDue) return { isRepeated }
      unconfirmed.inc({ type: userPurgeRequested.type })
      logger.warn({ userId }, 'auth did not confirm a request to erase a person')
      return null
    },
    async acknowledge(userId) {
      await auth.call(acknowledgePurge, { params: { userId } })
    },
  }
}
