import type { Account, DiscreetUser } from '@sumlock/contracts/user'
import type { Person } from '@sumlock/contracts/internal-routes'
import { isSteppedUp } from '@sumlock/service-kit/step-up'
import { formatUserCode } from './user-code.ts'

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
  userCode: string
  isPhoneVerified: boolean
  isEmailVerified: boolean
  isAdmin: boolean
  /** For replicas of the release before, and of PINs without a `pinMac`; null: no PIN was set. */
  pinHash: string | null
  /** Absent on accounts made before discreet mode: off. */
  isDiscreet?: boolean
  pinMac?: string | null
  /** Silent checks end for ever once the hint was shown. */
  silentHits: number
  /** These five are read by replicas of the release before only; see the unlock budget. */
  explicitFailures: number
  pausedUntil: Date | null
  softDay: string | null
  softFailures: number
  lastSoftFailure: string | null
  /** Grows with every change of the public state. */
  version: number
  createdAt: Date
}

export interface Session {
  _id: string
  cookieHash: string
  userId: string
  createdAt: Date
  expiresAt: Date
  unlockStartedAt: Date | null
  unlockedUntil: Date | null
  revokedAt: Date | null
  /** How often a lock was asked for; absent before the first. */
  lockCount?: number
  /** False: the account is no administrator's. True, or absent from an older session: the account has to be asked. */
  isAdmin?: boolean
  /** When the session last lost something, by the database's clock. */
  changedAt?: Date
}

export const usernameKey = (username: string): string => username.normalize('NFKC').toLocaleLowerCase('und')
export const emailKey = (email: string): string => email.toLowerCase()

export const toPerson = (user: User): Person => ({
  userId: user._id,
  username: user.username,
  userCode: formatUserCode(user.userCode),
  version: user.version,
})

const later = (date: Date | null, now: Date) => (date && date > now ? date.toISOString() : null)

const maySilentlyCheck = (user: User) => user.pinHash !== null && !user.isDiscreet && user.silentHits < 3

/** The fields that decide a step-up. */
export const toSteps = ({ unlockedUntil, createdAt }: Session) => ({ unlockedUntil, signedInAt: createdAt })

/** The user as GET /api/user shows it to this session: reduced while locked in discreet mode. */
export const toVisibleAccount = (
  user: User,
  session: Session,
  now: Date,
  pausedUntil: Date | null,
): Account | DiscreetUser =>
  // guard: discreet-while-locked
  user.isDiscreet && !isSteppedUp(toSteps(session), now.getTime())
    ? {
        id: user._id,
        username: user.username,
        isSetupComplete: user.pinHash !== null,
        silentCheck: maySilentlyCheck(user),
        unlockPausedUntil: later(pausedUntil, now),
      }
    : toAccount(user, session, now, pausedUntil)

/** The account as its owner sees it in this session. */
export function toAccount(user: User, session: Session, now: Date, pausedUntil: Date | null): Account {
  return {
    id: user._id,
    username: user.username,
    email: user.email,
    phone: user.phone,
    fullName: user.fullName,
    userCode: formatUserCode(user.userCode),
    isPhoneVerified: user.isPhoneVerified,
    isEmailVerified: user.isEmailVerified,
    isSetupComplete: user.pinHash !== null,
    isAdmin: user.isAdmin,
    createdAt: user.createdAt.toISOString(),
    unlockedUntil: later(session.unlockedUntil, now),
    silentCheck: maySilentlyCheck(user),
    unlockPausedUntil: later(pausedUntil, now),
    isDiscreet: user.isDiscreet ?? false,
  }
}
