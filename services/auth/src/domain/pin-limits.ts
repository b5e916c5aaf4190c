/** Limits on PIN guesses. Kept in auth because the browser needs none of them. */
export const pinLimits = {
  explicitFree: 10,
  firstPauseSeconds: 30,
  maxPauseSeconds: 3600,
  /** Wrong entries in password mode that revoke their session. */
  revokeAfter: 20,
  /** A right entry clears recent wrong entries of the same session. */
  clearsAtMost: 3,
  clearsWithinMs: 120_000,
  softPerDay: 20,
  softPerSession: 60,
  /** Sessions without a wrong entry that an account remembers. */
  sessionsKept: 100,
} as const
