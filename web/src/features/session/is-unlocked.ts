import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { User } from '@sumlock/contracts/user'

/** Whether this session is unlocked, as the server said last; a reduced user (discreet mode) is always locked. */
export const isUnlocked = (user: User | null | undefined): boolean =>
  user != null && isWholeUser(user) && user.unlockedUntil !== null
