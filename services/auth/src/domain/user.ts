import type { ListedAccount } from '@sumlock/contracts/admin-routes'
import type { Person } from '@sumlock/contracts/internal-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Account, DiscreetUser } from '@sumlock/contracts/user'
import { isSteppedUp } from '@sumlock/service-kit/step-up'
import { explicitPause } from './unlock-budget.ts'
import type { UnlockBudget } from './unlock-budget.ts'
import { formatUserCode } from './user-code.ts'

/** A key pair of a person. The server can open the box only with the PIN. */
export interface UserKey {
  epoch: number
  /** The public half in base64url, like the box. */
  pub: string
  /** Null after a reset of the app: messages sealed for this key can no longer be opened. */
  box: string | null
  /** Iterations of PBKDF2. */
  n: number
  /** Id of the secret behind the share. */
  sk: string
}

export interface PasswordGuesses {
  /** Wrong passwords since the account was last unlocked. */
  sinceUnlock: number
  /** The UTC day of the last wrong password. */
  day: string
  ofDay: number
  /** The UTC day on which the owner last got a mail about it. */
  toldOn?: string
}

/** A waiting reset of the app. */
export interface PendingReset {
  dueAt: Date
  /** The time from which a process may carry it out; later than `dueAt` while one does. */
  tryAt: Date
  /** The session that requested it. */
  sessionId: string
}

export interface User {
  _id: string
  username: string
  /** The unique form of a username: NFKC, case folded. */
  usernameKey: string
  email: string
  emailKey: string
  phone: string
  fullName: string
  passwordHash: string
  /** The last reset of the password; absent before the first. */
  passwordChangedAt?: Date
  /** Wrong passwords; absent before the first. */
  guesses?: PasswordGuesses
  userCode: string
  isPhoneVerified: boolean
  isEmailVerified: boolean
  isAdmin: boolean
  /** Null: no PIN is set. */
  pinMac: string | null
  isDiscreet: boolean
  /** The last reset of the app; absent before the first. */
  resetAt?: Date
  pendingReset?: PendingReset
  /** The due time of a cancelled reset, until an unlock has reported it. */
  cancelledResetDueAt?: Date
  /** Messaging has not confirmed yet that the last reset cleared the conversations: no PIN can be set until then. */
  isClearPending?: boolean
  /** When the account is due to be deleted; absent if deletion was never requested, null after it was cancelled. */
  purgeAt?: Date | null
  /** The UTC day of the last export. */
  exportedOn?: string
  /** The time at which an admin suspended the account; absent or null if it is not suspended. */
  suspendedAt?: Date | null
  /** Counts right silent entries, until the hint was shown. */
  silentHits: number
  /** Ascending by epoch; absent before the first. */
  keys?: UserKey[]
  /** Increases with every change of the PIN. */
  pinVersion: number
  /** Records of known keys of partners; absent before the first. */
  knownKeyCount?: number
  /** The legal texts at the registration. */
  legalVersion: string
  /** Increases with every change of the public state. */
  version: number
  /** The time of the registration or of the last increase of `version`, by the database's clock. */
  changedAt?: Date
  createdAt: Date
}

export interface Session {
  _id: string
  cookieHash: string
  userId: string
  createdAt: Date
  /** The last time the account password was given in it; absent until it is given again after the sign-in. */
  passwordGivenAt?: Date
  /** The last time the right PIN was given in it; absent before the first. */
  pinGivenAt?: Date
  /** The last time an administrator gave the account password for administration. */
  passwordConfirmedAt?: Date
  expiresAt: Date
  unlockStartedAt: Date | null
  unlockedUntil: Date | null
  revokedAt: Date | null
  /** Number of lock requests; absent before the first. */
  lockCount?: number
  /** False: not an administrator. True: the account itself has to be read. */
  isAdmin: boolean
  /** Browser and system. It is removed, with the next two, when the session has ended. */
  device: string
  addressFamily: 'IPv4' | 'IPv6'
  /** The last use, at most a minute older than the last request. */
  lastSeenAt: Date
  /** The session ends at this time unless it is used before. */
  idleEndsAt: Date
  /** Encrypts the copy of the person's key on this device; absent while locked. */
  copyKey?: string
  /** The last lock, revocation or change of role of the session, by the database's clock. */
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

/** Whether the right PIN was ever given in this session. */
export const knowsNumber = ({ pinGivenAt }: Pick<Session, 'pinGivenAt'>): boolean => pinGivenAt !== undefined

/** A locked session is not shown the reset that another one requested, except just after its sign-in. */
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

/** The last time the account password was given, at the sign-in or since. */
export const lastPasswordOf = ({ createdAt, passwordGivenAt, passwordConfirmedAt }: Session): Date =>
  new Date(Math.max(...[createdAt, passwordGivenAt, passwordConfirmedAt].map((at) => at?.getTime() ?? 0)))

/** The fields that decide a step-up. */
export const toSteps = ({ unlockedUntil, createdAt, passwordGivenAt }: Session) => ({
  unlockedUntil,
  signedInAt: passwordGivenAt ?? createdAt,
})

/** The user as GET /api/user shows it to this session: reduced while locked in discreet mode. */
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

/** The account as an admin sees it. */
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

/** The account as its owner sees it in this session. */
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
