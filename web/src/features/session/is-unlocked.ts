import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { User } from '@sumlock/contracts/user'

/** Whether the server's last answer called this session unlocked. A reduced user (discreet mode) is always locked. */
export const isUnlocked = (user: User | null | undefined): boolean =>
  user != null && isWholeUser(user) && user.unlockedUntil !== null
