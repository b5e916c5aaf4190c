import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { User } from '@sumlock/contracts/user'
import { pendingPromoCode } from '../device/promo-link.ts'

/**
 * Returns the first screen after a sign-in: the calculator, or a screen where the person has to confirm, set up or
 * redeem something first.
 */
export const startOf = (user: User): string =>
  user.deletionScheduledFor || !user.isSetupComplete || hasReset(user) || pendingPromoCode.get() !== null
    ? '/settings'
    : '/'

const hasReset = (user: User): boolean => 'resetDueAt' in user && user.resetDueAt !== undefined

/**
 * Returns whether the set-up has to be shown. A locked phone in discreet mode never shows the set-up: its owner has to
 * sign in again first.
 */
export const needsSetUp = (user: User): boolean => !user.isSetupComplete && isWholeUser(user)
