import { limits } from '@sumlock/contracts/limits'
import { AppError } from './app-error.ts'

/** Returns whether a session is unlocked, or was opened with the account password less than 15 minutes ago. */
export const isSteppedUp = (
  { unlockedUntil, signedInAt }: { unlockedUntil: Date | null; signedInAt: Date },
  nowMs: number,
): boolean =>
  (unlockedUntil !== null && unlockedUntil.getTime() > nowMs) ||
  nowMs - signedInAt.getTime() < limits.recentSignInMinutes * 60_000

export const stepUpRequired = () =>
  new AppError('forbidden', 'step_up_required', 'Please unlock, or sign in again, to do this.')

export const notUnlocked = () => new AppError('locked', 'locked', 'Please unlock first.')

/**
 * Returns an error when an administrator's session is locked, or when the account password was not given in the
 * last 15 minutes; otherwise null.
 */
export function refusalOfAdmin(
  { unlockedUntil, passwordGivenAt }: { unlockedUntil: Date | null; passwordGivenAt: Date },
  nowMs: number,
): AppError | null {
  if (!unlockedUntil || unlockedUntil.getTime() <= nowMs) return notUnlocked()
  if (nowMs - passwordGivenAt.getTime() < limits.passwordCountsMinutes * 60_000) return null
  return new AppError('forbidden', 'step_up_required', 'Please give your account password to do this.')
}

/**
 * Throws `step_up_required` unless `isSteppedUp`. Somebody else may hold a device that was locked long ago; in
 * discreet mode, such a session must get no data of the account.
 */
export function requireSteppedUp(session: Parameters<typeof isSteppedUp>[0], nowMs: number): void {
  if (!isSteppedUp(session, nowMs)) throw stepUpRequired()
}
