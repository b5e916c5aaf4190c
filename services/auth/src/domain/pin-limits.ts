/** These limits on PIN guesses are not part of the contracts, because the browser needs none of them. */
export const pinLimits = {
  explicitFree: 10,
  firstPauseSeconds: 30,
  maxPauseSeconds: 3600,
  /** This many wrong entries in password mode revoke their session. */
  revokeAfter: 20,
  /** A right entry clears at most this many recent wrong entries of the same session. */
  clearsAtMost: 3,
  clearsWithinMs: 120_000,
  softPerDay: 20,
  softPerSession: 60,
  /** The budget of an account keeps at most this many sessions without a wrong entry. */
  sessionsKept: 100,
} as const
