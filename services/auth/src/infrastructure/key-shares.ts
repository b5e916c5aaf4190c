import { createHmac } from 'node:crypto'
import { fields } from '@sumlock/sealing/bytes'
import type { UnlockedKeys } from '@sumlock/contracts/identity-routes'

export interface KeyShares {
  /** Returns whether shares are derived from the secret with this id. */
  knows(id: string): boolean
  /**
   * Returns the shares of a person: the one of the present secret first, then those of other secrets that boxes still need.
   */
  of(userId: string, inUse: readonly string[]): UnlockedKeys['keyShares']
}

/**
 * Derives the share of each person from secrets that are in no database, so that somebody who steals the databases cannot
 * open a box. A share is the same for all keys of its person and is therefore computed instead of stored.
 */
export function createKeyShares(secrets: readonly { id: string; secret: Buffer }[]): KeyShares {
  return {
    knows: (wanted) => secrets.some(({ id }) => id === wanted),
    of: (userId, inUse) =>
      secrets
        .filter(({ id }, index) => index === 0 || inUse.includes(id))
        .map(({ id, secret }) => ({
          sk: id,
          share: createHmac('sha256', secret).update(fields('share/v1', userId)).digest('base64url'),
        })),
  }
}
