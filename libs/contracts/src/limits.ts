import { pinLimits } from './pin-limits.ts'
import { registrationLimits } from './registration-limits.ts'

/** Every number the product promises, in one place. Not for screens before an unlock: their bundle would name all of them. */
export const limits = {
  ...pinLimits,
  ...registrationLimits,
  messageMaxLength: 4000,
  phoneCodeLength: 6,
  phoneCodeMaxGuesses: 5,
  phoneCodeLifetimeSeconds: 600,
  phoneResendAfterSeconds: 30,
  phoneCodesPerHour: 5,
  /** How long a proved phone number may wait for the register call. */
  phoneProofLifetimeSeconds: 1800,
  freeMessagesPerDay: 1,
  historyDefaultLimit: 50,
  historyMaxLimit: 200,
  jsonBodyMaxBytes: 64 * 1024,
  sessionLifetimeDays: 30,
  deviceMarkerLifetimeDays: 400,
  /** For so long after a sign-in with the account password, a locked session may do what otherwise needs an unlock. */
  recentSignInMinutes: 15,
  tokenLifetimeSeconds: 60,
  signInFreeFailures: 10,
  signInFirstPauseSeconds: 30,
  signInMaxPauseSeconds: 900,
  sessionsPerPerson: 20,
  unlockIdleMinutes: 10,
  unlockMaxHours: 8,
  activityReportSeconds: 60,
  hintAfterCorrectEntries: 3,
} as const
