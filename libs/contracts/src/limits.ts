import { pinLimits } from './pin-limits.ts'
import { registrationLimits } from './registration-limits.ts'

/** Every limit of the product. Not for screens before an unlock: their bundle would contain all names. */
export const limits = {
  ...pinLimits,
  ...registrationLimits,
  messageMaxLength: 4000,
  /** 4,000 characters, sealed and padded, in base64url. */
  sealedMaxLength: 20_000,
  /** Keys of one person that have a box. A change of the numeric password sends a new box for each. */
  boxedKeys: 50,
  /** The number of sealed records, one for each partner's accepted key, that one person may store. */
  knownKeys: 5000,
  reportsPerDay: 10,
  /** Messages that one report can name. */
  reportedMessages: 20,
  /** Characters of all texts that are attached to one report. */
  reportedTextsMaxLength: 20_000,
  /** Time from the end of a report to the removal of its texts. */
  closedReportTextDays: 30,
  reportNoteMaxLength: 1000,
  listedReports: 200,
  /** Users on one page for an admin. */
  listedUsers: 200,
  listedUsersMax: 500,
  /** Rows of one page of what administrators did, and people whom one row names. */
  listedActions: 40,
  namedPeople: 10,
  /** Conversations of one user that an admin is shown. */
  listedConversations: 50,
  phoneCodeLength: 6,
  phoneCodeMaxGuesses: 5,
  phoneCodeLifetimeSeconds: 600,
  phoneResendAfterSeconds: 30,
  phoneCodesPerHour: 5,
  /** Unverified codes per hour: for an IPv4 address or IPv6 /64, for a /56, for a /48. */
  unverifiedCodesPerHour: [10, 20, 40],
  /** Codes per hour that count as the first of an address, for the same networks. */
  firstCodesPerHour: [1, 2, 4],
  /**
   * The number of user names that can be tried with one verified number, because each answer reveals whether a name is
   * taken.
   */
  namesPerPhoneProof: 10,
  /** A verified phone number is valid for the register call for this time. */
  phoneProofLifetimeSeconds: 1800,
  emailVerificationLifetimeSeconds: 86_400,
  passwordResetLifetimeSeconds: 1800,
  /** A mail without a link is sent within this time or not at all. */
  noticeLifetimeSeconds: 86_400,
  /** From this number of wrong passwords on a day (UTC) the owner gets a mail. */
  wrongPasswordsToldAt: 20,
  /** Mails of one kind per hour to one account. */
  mailsPerHour: 5,
  /** The number of accounts that get a link to reset the password if none has proven the address. */
  resetAccounts: 3,
  freeMessagesPerDay: 1,
  /** Conversations on one page of the list. */
  pageOfConversations: 50,
  /** One file as it is stored: 50 MB, sealed, with its thumbnail. */
  objectMaxBytes: 60_000_000,
  uploadLifetimeSeconds: 900,
  /** The smallest part of an upload; 5 MB as S3 counts them. The last part may be smaller. */
  partMinBytes: 5 * 1024 * 1024,
  uploadParts: 10_000,
  /** An upload in parts can stay open for this time. */
  multipartHours: 24,
  /** Uploads of one person that are not complete: as many photos may be begun at once. */
  openUploads: 100,
  /** Time from an upload to the removal of media that were not sent. */
  unsentMediaHours: 24,
  /** Length of a receipt of the App Store, in base64. */
  receiptMaxLength: 256 * 1024,
  giftMessageMaxLength: 500,
  /** Length of a code as it is typed, with dashes and spaces. */
  upgradeCodeMaxLength: 64,
  /** A gift can be redeemed for this time after it was paid. */
  giftLifetimeDays: 365,
  /** Refused tries per hour to redeem a code, for one person and for one address. */
  redeemTriesPerPerson: 20,
  redeemTriesPerAddress: 60,
  historyDefaultLimit: 50,
  historyMaxLimit: 200,
  jsonBodyMaxBytes: 64 * 1024,
  /** The wait of a reset of the app in a session in which the right number was never given. */
  resetWaitHours: 24,
  /** The time in which the owner can keep an account after requesting its deletion. */
  deletionDelayDays: 14,
  sessionLifetimeDays: 90,
  /** A session ends after this time without a request. */
  sessionIdleDays: 14,
  /** The least time between two stored uses of a session. */
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
