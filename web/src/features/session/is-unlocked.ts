import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { User } from '@sumlock/contracts/user'

/**
 * Whether this session was unlocked in the last answer of the server; a reduced user (discreet mode) is always locked.
 */
export const isUnlocked = (user: User | null | undefined): boolean =>
  user != null && isWholeUser(user) && user.unlockedUntil !== null
