import type { UnlockAnswer } from '@sumlock/contracts/lock-routes'
import { unlockedUser } from './fake-api.ts'

/** The answer to a right number from a server that keeps no key of this person. */
export const unlockAnswer: UnlockAnswer = {
  userId: unlockedUser.id,
  unlockedUntil: unlockedUser.unlockedUntil,
  outboxKey: 'k',
  wrongEntries: 0,
  wrongPasswords: 0,
  identities: [],
  nextEpoch: 1,
  pinVersion: 1,
  keyShares: [],
  copyKey: null,
}
