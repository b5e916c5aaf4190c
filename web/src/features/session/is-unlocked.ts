import type { User } from '@sumlock/contracts/user'

/** The server says null once it is over; the clock of this device may be wrong and is not asked. */
export const isUnlocked = (user: User | null): boolean =>
  user !== null && 'unlockedUntil' in user && user.unlockedUntil !== null
