import type { Account } from '@sumlock/contracts/user'
import type { Person } from '@sumlock/contracts/internal-routes'
import { formatUserCode } from './user-code.ts'

export interface User {
  _id: string
  username: string
  /** What makes a username unique: NFKC, case folded. */
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
}

export const usernameKey = (username: string): string => username.normalize('NFKC').toLocaleLowerCase('und')
export const emailKey = (email: string): string => email.toLowerCase()

export const toPerson = (user: User): Person => ({
  userId: user._id,
  username: user.username,
  userCode: formatUserCode(user.userCode),
  version: user.version,
})

/** The account as its owner sees it in this session. */
export function toAccount(
  user: User,
  session: Session | null,
  now: Date,
  unlockPausedUntil: Date | null,
): Account {
  const later = (date: Date | null | undefined) => (date && date > now ? date.toISOString() : null)
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
    unlockedUntil: later(session?.unlockedUntil),
    silentCheck: user.pinHash !== null && user.silentHits < 3,
    unlockPausedUntil: later(unlockPausedUntil),
  }
}
