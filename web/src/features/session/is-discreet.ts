import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { User } from '@sumlock/contracts/user'

/** Whether the account is in discreet mode. Only that mode sends less than the whole user. */
export const isDiscreet = (user: User): boolean => !isWholeUser(user) || user.isDiscreet
