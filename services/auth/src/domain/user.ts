import type { ListedAccount } from '@sumlock/contracts/admin-routes'
import type { Person } from '@sumlock/contracts/internal-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Account, DiscreetUser } from '@sumlock/contracts/user'
import { isSteppedUp } from '@sumlock/service-kit/step-up'
import { explicitPause } from './unlock-budget.ts'
import type { UnlockBudget } from './unlock-budget.ts'
import { formatUserCode } from './user-code.ts'

/** A key pair of a person. The private half is in a box that opens only with the PIN and a share. */
export interface UserKey {
  epoch: number
  /** The public half is in base64url, like the box. */
  pub: string
  /** Null after a reset of the app or the loss of the key: messages sealed for this key can no longer be opened. */
  box: string | null
  /** PBKDF2 runs this many iterations. */
  n: number
  /** The share is derived from the secret with this id. */
  sk: string
}

export interface PasswordGuesses {
  /** Counts wrong passwords since the account was last unlocked. */
  sinceUnlock: number
  /** The last wrong password was entered on this UTC day, whose wrong passwords `ofDay` counts. */
  day: string
  ofDay: number
  /** The owner last got a mail about wrong passwords on this UTC day. */
  toldOn?: string
}

/** A reset of the app waits until `dueAt`. */
export interface PendingReset {
  dueAt: Date
  /** A process may carry out the reset from this time on. The time is later than `dueAt` while a process does. */
  tryAt: Date
  /** The reset was requested in this session. */
  sessionId: string
}

export interface User {
  _id: string
  username: string
  /** The unique form of a username is NFKC in lower case. */
  usernameKey: string
  email: string
  emailKey: string
  phone: string
  fullName: string
  passwordHash: string
  /** The password was last changed or reset at this time; absent before the first change. */
  passwordChangedAt?: Date
  /** Absent before the first wrong password. */
  guesses?: PasswordGuesses
  userCode: string
  isPhoneVerified: boolean
  isEmailVerified: boolean
  isAdmin: boolean
  /** Null while no PIN is set. */
  pinMac: string | null
  isDiscreet: boolean
  /** The app was last reset at this time; absent before the first reset. */
  resetAt?: Date
  pendingReset?: PendingReset
  /** A reset that was cancelled would have been due at this time. The field is removed when an unlock has reported it. */
  cancelledResetDueAt?: Date
  /** True until messaging has confirmed that the last reset cleared the conversations. No PIN can be set until then. */
  isClearPending?: boolean
  /** The account is due to be deleted at this time; absent if deletion was never requested, null after it was cancelled. */
  purgeAt?: Date | null
  /** The account was last exported on this UTC day. */
  exportedOn?: string
  /** An administrator suspended the account at this time; absent or null if it is not suspended. */
  suspendedAt?: Date | null
  /** Counts right entries that were only checked silently, until the hint was shown. */
  silentHits: number
  /** The keys are in the order of their epochs; absent before the first key. */
  keys?: UserKey[]
  /** Increases with every change of the PIN. */
  pinVersion: number
  /** Counts the stored records of known keys of partners; absent before the first. */
  knownKeyCount?: number
  /** The person accepted this version of the legal texts at the registration. */
  legalVersion: string
  /** Increases with every change of the data that `toPerson` returns. */
  version: number
  /** The person registered, or `version` last increased, at this time of the database's clock. */
  changedAt?: Date
  createdAt: Date
}

export interface Session {
  _id: string
  cookieHash: string
  userId: string
  createdAt: Date
  /** The account password was last given in this session at this time; absent until it is given again after the sign-in. */
  passwordGivenAt?: Date
  /** The right PIN was last given in this session at this time; absent before the first. */
  pinGivenAt?: Date
  /** An administrator last gave the account password for administration at this time. */
  passwordConfirmedAt?: Date
  expiresAt: Date
  unlockStartedAt: Date | null
  /** The session is unlocked since then; a second unlock, as in another tab, changes only `unlockStartedAt`. */
  unlockedSince?: Date
  unlockedUntil: Date | null
  revokedAt: Date | null
  /** Counts lock requests; absent before the first. */
  lockCount?: number
  /**
   * False if the user is no administrator. If true, the account has to be read, because the role may have been taken away.
   */
  isAdmin: boolean
  /**
   * The names of the browser and the system are removed, like `addressFamily` and `lastSeenAt`, when the session has ended.
   */
  device: string
  addressFamily: 'IPv4' | 'IPv6'
  /** The session was last used at this time; its last request may be up to a minute later. */
  lastSeenAt: Date
  /** The session ends at this time unless it is used before. */
  idleEndsAt: Date
  /** Encrypts the copies of the person's keys on this device; absent while locked. */
  copyKey?: string
  /** The session was last locked or revoked, or its role changed, at this time of the database's clock. */
  changedAt?: Date
}

export const usernameKey = (username: string): string => username.normalize('NFKC').toLocaleLowerCase('und')
export const emailKey = (email: string): string => email.toLowerCase()

export const toPerson = (user: User): Person => ({
  userId: user._id,
  username: user.username,
  userCode: formatUserCode(user.userCode),
  version: user.version,
  ...(user.keys ? { keys: user.keys.map(({ epoch, pub }) => ({ epoch, pub })) } : {}),
  ...(user.purgeAt === undefined ? {} : { isLeaving: user.purgeAt !== null }),
})

const deletionOf = ({ purgeAt }: User) => (purgeAt ? { deletionScheduledFor: purgeAt.toISOString() } : {})

/** Returns whether the right PIN was ever given in this session. */
export const knowsNumber = ({ pinGivenAt }: Pick<Session, 'pinGivenAt'>): boolean => pinGivenAt !== undefined

/** A locked session is not shown a reset that another session requested, except shortly after its own sign-in. */
const resetOf = ({ pendingReset, pinMac }: User, session: Session, now: Date) => {
  const isTold = session._id === pendingReset?.sessionId || isSteppedUp(toSteps(session), now.getTime())
  return {
    ...(pendingReset && isTold ? { resetDueAt: pendingReset.dueAt.toISOString() } : {}),
    ...(pinMac !== null && !knowsNumber(session) ? { resetWaits: true as const } : {}),
  }
}

const later = (date: Date | null, now: Date) => (date && date > now ? date.toISOString() : null)

const pauseOf = (session: Session, now: Date, budget?: UnlockBudget) =>
  later(budget ? explicitPause(budget, session._id, now, knowsNumber(session)) : null, now)

const maySilentlyCheck = (user: User) =>
  user.pinMac !== null && !user.isDiscreet && user.silentHits < limits.hintAfterCorrectEntries

/** Returns when a session that is used now ends if it is not used again. */
export const idleEnd = (now: Date): Date => new Date(now.getTime() + limits.sessionIdleDays * 86_400_000)

/** Returns when the account password was last given, at the sign-in or later. */
export const lastPasswordOf = ({ createdAt, passwordGivenAt, passwordConfirmedAt }: Session): Date =>
  new Date(Math.max(...[createdAt, passwordGivenAt, passwordConfirmedAt].map((at) => at?.getTime() ?? 0)))

/** Returns the fields that decide whether a session is stepped up. */
export const toSteps = ({ unlockedUntil, createdAt, passwordGivenAt }: Session) => ({
  unlockedUntil,
  signedInAt: passwordGivenAt ?? createdAt,
})

/**
 * Returns the user as GET /api/user shows it to this session. In discreet mode it is reduced, except while the session is
 * unlocked or shortly after its sign-in.
 */
export const toVisibleAccount = (
  user: User,
  session: Session,
  now: Date,
  budget: UnlockBudget | undefined,
): Account | DiscreetUser =>
  // guard: discreet-while-locked
  user.isDiscreet && !isSteppedUp(toSteps(session), now.getTime())
    ? {
        id: user._id,
        username: user.username,
        isSetupComplete: user.pinMac !== null,
        silentCheck: maySilentlyCheck(user),
        unlockPausedUntil: pauseOf(session, now, budget),
        ...deletionOf(user),
      }
    : toAccount(user, session, now, budget)

/** Returns the account as an administrator sees it. */
export const toListedAccount = (user: User): ListedAccount => ({
  id: user._id,
  username: user.username,
  email: user.email,
  fullName: user.fullName,
  userCode: formatUserCode(user.userCode),
  phone: user.phone,
  isPhoneVerified: user.isPhoneVerified,
  isAdmin: user.isAdmin,
  createdAt: user.createdAt.toISOString(),
  suspendedAt: user.suspendedAt?.toISOString() ?? null,
})

/** Returns the account as its owner sees it in this session. */
export function toAccount(user: User, session: Session, now: Date, budget?: UnlockBudget): Account {
  return {
    id: user._id,
    username: user.username,
    email: user.email,
    phone: user.phone,
    fullName: user.fullName,
    userCode: formatUserCode(user.userCode),
    isPhoneVerified: user.isPhoneVerified,
    isEmailVerified: user.isEmailVerified,
    isSetupComplete: user.pinMac !== null,
    isAdmin: user.isAdmin,
    createdAt: user.createdAt.toISOString(),
    unlockedUntil: later(session.unlockedUntil, now),
    silentCheck: maySilentlyCheck(user),
    unlockPausedUntil: pauseOf(session, now, budget),
    isDiscreet: user.isDiscreet,
    ...resetOf(user, session, now),
    ...deletionOf(user),
  }
}
