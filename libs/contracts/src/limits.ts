import { pinLimits } from './pin-limits.ts'
import { registrationLimits } from './registration-limits.ts'

/**
 * All limits of the product. Screens before an unlock must not load them, because the names would be in their bundle.
 */
export const limits = {
  ...pinLimits,
  ...registrationLimits,
  messageMaxLength: 4000,
  /** A text of 4,000 characters fits when it is sealed, padded and encoded as base64url. */
  sealedMaxLength: 20_000,
  nicknameMaxLength: 40,
  /** So many keys of one person can have a box. A change of the numeric password sends a new box for each. */
  boxedKeys: 50,
  /** One person can store so many sealed records, one for each partner's accepted key. */
  knownKeys: 5000,
  reportsPerDay: 10,
  reportedMessages: 20,
  /** All texts attached to one report together have at most this many characters. */
  reportedTextsMaxLength: 20_000,
  /** The texts of a report are removed this long after it was closed. */
  closedReportTextDays: 30,
  reportNoteMaxLength: 1000,
  listedReports: 200,
  /** An admin's page has this many users, and on request up to `listedUsersMax`. */
  listedUsers: 200,
  listedUsersMax: 500,
  /** A page of administrators' actions has at most `listedActions` rows, and a row names at most `namedPeople`. */
  listedActions: 40,
  namedPeople: 10,
  /** An admin is shown at most this many conversations of a user. */
  listedConversations: 50,
  phoneCodeLength: 6,
  phoneCodeMaxGuesses: 5,
  phoneCodeLifetimeSeconds: 600,
  phoneResendAfterSeconds: 30,
  phoneCodesPerHour: 5,
  /** So many unverified codes per hour are sent for an IPv4 address or IPv6 /64, for a /56, and for a /48. */
  unverifiedCodesPerHour: [10, 20, 40],
  /** So many codes per hour count as the first of an address, for the same networks as `unverifiedCodesPerHour`. */
  firstCodesPerHour: [1, 2, 4],
  /** One verified number allows so many tries of a user name, because each answer reveals whether a name is taken. */
  namesPerPhoneProof: 10,
  /** A verified phone number is valid for the register call for this time. */
  phoneProofLifetimeSeconds: 1800,
  emailVerificationLifetimeSeconds: 86_400,
  passwordResetLifetimeSeconds: 1800,
  /** A mail without a link is sent within this time or not at all. */
  noticeLifetimeSeconds: 86_400,
  /** From this number of wrong passwords on a day (UTC) the owner gets a mail. */
  wrongPasswordsToldAt: 20,
  /** One account gets at most this many mails of one kind per hour. */
  mailsPerHour: 5,
  /** If no account has proven an address, so many accounts that claim it get a link to reset the password. */
  resetAccounts: 3,
  freeMessagesPerDay: 1,
  /** A message can be edited and taken back for this time. */
  actHours: 24,
  /** A message that was the free one of its day can be edited once only. */
  editsPerMessage: 5,
  freeMessageEdits: 1,
  /** One person can make so many edits on a UTC day, and take back as many messages. */
  actsPerDay: 300,
  /** A message can vanish after one of these times; a file stays for at least the second one. */
  vanishTimesMs: [30_000, 300_000, 3_600_000, 86_400_000, 604_800_000, 2_419_200_000],
  fileVanishMinMs: 300_000,
  /** A vanishing message that nobody reads is erased after this time. */
  unreadVanishDays: 30,
  /** A message that opens once can be read for this time after it was opened. */
  openOnceMinutes: 10,
  pageOfConversations: 50,
  /** A stored file has at most this size. It allows for 50 MB with their sealing and a thumbnail. */
  objectMaxBytes: 60_000_000,
  uploadLifetimeSeconds: 900,
  /** All parts of an upload but the last must have this size, which is 5 MB as S3 counts them. */
  partMinBytes: 5 * 1024 * 1024,
  uploadParts: 10_000,
  /** An upload in parts can stay open for this time. */
  multipartHours: 24,
  /** One person may have so many unfinished uploads, so that many photos can be begun at once. */
  openUploads: 100,
  /** Media that were uploaded but not sent are removed after this time. */
  unsentMediaHours: 24,
  /** A receipt of the App Store has at most this many base64 characters. */
  receiptMaxLength: 256 * 1024,
  giftMessageMaxLength: 500,
  /** A typed code has at most this many characters, including dashes and spaces. */
  upgradeCodeMaxLength: 64,
  /** A gift can be redeemed for this time after it was paid. */
  giftLifetimeDays: 365,
  /** So many tries to redeem a code may be refused per hour, for one person and for one address. */
  redeemTriesPerPerson: 20,
  redeemTriesPerAddress: 60,
  historyDefaultLimit: 50,
  historyMaxLimit: 200,
  jsonBodyMaxBytes: 64 * 1024,
  /** A reset of the app waits this long if the right number was never given in the session that requests it. */
  resetWaitHours: 24,
  /** An owner who requested the deletion of an account can keep it for this time. */
  deletionDelayDays: 14,
  sessionLifetimeDays: 90,
  /** A session ends after this time without a request. */
  sessionIdleDays: 14,
  /** The last use of a session is stored at most once in this time. */
  sessionSeenSeconds: 60,
  deviceMarkerLifetimeDays: 400,
  /** A locked session counts as stepped up for this time after a sign-in with the account password. */
  recentSignInMinutes: 15,
  /** An administrator may act for this time after the account password was given. */
  passwordCountsMinutes: 15,
  tokenLifetimeSeconds: 60,
  signInFreeFailures: 10,
  signInFirstPauseSeconds: 30,
  signInMaxPauseSeconds: 900,
  sessionsPerPerson: 25,
  unlockIdleMinutes: 10,
  unlockMaxHours: 8,
  activityReportSeconds: 60,
  hintAfterCorrectEntries: 3,
} as const
