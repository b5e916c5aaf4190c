import { limits } from '@sumlock/contracts/limits'
import { dayMs } from './ledger.ts'

/**
 * created (the payment is open) → paid → sent (the mail was requested) → redeemed, or expired a year after it was paid; or
 * refunded. One that is not redeemed is `disputed` while the payment is, and paid again if the dispute is won, also after it expired
 * meanwhile.
 */
export type GiftStatus = 'created' | 'paid' | 'sent' | 'redeemed' | 'expired' | 'disputed' | 'refunded'

export interface Gift {
  /** Also the id of the first grant of who redeems it. */
  _id: string
  buyerId: string
  /** Like the message, gone with the end of the gift: it was redeemed, expired or refunded. */
  recipientEmail?: string
  giftMessage?: string
  /** The key that the code is derived with. */
  codeKeyId: string
  /** A keyed hash of the code, unique. */
  codeHash: string
  status: GiftStatus
  createdAt: Date
  paidAt: Date | null
  /** A year of paid time after it was paid: a dispute that is won moves it. Null before. */
  expiresAt: Date | null
  isRedeemed: boolean
  redeemedBy: string | null
  redeemedAt: Date | null
}

/** The states in which a gift can be redeemed. */
export const redeemable: readonly GiftStatus[] = ['paid', 'sent']
/** The states that time ends. A dispute may never be told to have ended. */
export const expiring: readonly GiftStatus[] = [...redeemable, 'disputed']

export const isRedeemable = ({ status, expiresAt }: Gift, now: Date) =>
  redeemable.includes(status) && expiresAt !== null && expiresAt > now

export const lifetimeMs = limits.giftLifetimeDays * dayMs

/** What a gift becomes when its payment arrives. */
export const paidGift = (now: Date) => ({
  status: 'paid' as const,
  paidAt: now,
  expiresAt: new Date(now.getTime() + lifetimeMs),
})

/** What a gift becomes when its payment is disputed; undefined when that changes nothing. */
export function disputedGift({ status }: Gift, now: Date) {
  // The money had arrived, though nobody has told us.
  if (status === 'created') return { ...paidGift(now), status: 'disputed' as const }
  return redeemable.includes(status) ? { status: 'disputed' as const } : undefined
}

/** What a gift becomes when a dispute that began at this time is won: its time stood still. Undefined when none was left. */
export function resumedGift({ status, paidAt, expiresAt }: Gift, disputedAt: Date, now: Date) {
  if (status !== 'disputed' && status !== 'expired') return undefined
  const leftMs = expiresAt ? expiresAt.getTime() - disputedAt.getTime() : lifetimeMs
  if (leftMs <= 0) return undefined
  return { status: 'paid' as const, paidAt: paidAt ?? now, expiresAt: new Date(now.getTime() + leftMs) }
}
