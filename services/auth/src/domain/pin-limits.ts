/** How often a PIN may be guessed. Known to auth only: the browser needs none of it. */
export const pinLimits = {
  explicitFree: 10,
  firstPauseSeconds: 30,
  maxPauseSeconds: 3600,
  /** Wrong entries in password mode that revoke their session. */
  revokeAfter: 20,
  /** What a right entry takes back: mistypes of the same session just before it. */
  clearsAtMost: 3,
  clearsWithinMs: 120_000,
  softPerDay: 20,
  softPerSession: 60,
  /** Sessions without a wrong entry that an account remembers. */
  sessionsKept: 100,
} as const
