import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { User } from '@sumlock/contracts/user'

/**
 * Returns whether the session was unlocked according to the server's last answer. A session with a reduced user
 * (discreet mode) is always locked.
 */
export const isUnlocked = (user: User | null | undefined): boolean =>
  user != null && isWholeUser(user) && user.unlockedUntil !== null
