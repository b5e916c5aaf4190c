import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { User } from '@sumlock/contracts/user'

/** Returns whether the account is in discreet mode. The server sends a reduced user only in that mode. */
export const isDiscreet = (user: User): boolean => !isWholeUser(user) || user.isDiscreet
