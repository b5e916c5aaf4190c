import { limits } from '@sumlock/contracts/limits'
import { dayMs } from './ledger.ts'

/**
 * created (the payment is open) → paid → sent (the mail was requested) → redeemed, or expired a year after it was paid; or
 * refunded. A gift that is not redeemed is `disputed` while its payment is, and paid again if the dispute is won, even if it has
 * expired in between.
 */
export type GiftStatus = 'created' | 'paid' | 'sent' | 'redeemed' | 'expired' | 'disputed' | 'refunded'

export interface Gift {
  /** The id of the gift and of the first grant to the person who redeems it. */
  _id: string
  buyerId: string
  /** Removed with the message when the gift is redeemed, expired or refunded. */
  recipientEmail?: string
  giftMessage?: string
  /** The key that the code is derived with. */
  codeKeyId: string
  /** A keyed hash of the code, unique. */
  codeHash: string
  status: GiftStatus
  createdAt: Date
  paidAt: Date | null
  /** A year of paid time after the payment, which a won dispute moves; null before the payment. */
  expiresAt: Date | null
  isRedeemed: boolean
  redeemedBy: string | null
  redeemedAt: Date | null
}

/** The states in which a gift can be redeemed. */
export const redeemable: readonly GiftStatus[] = ['paid', 'sent']
/** The states that end by time. The end of a dispute may never be reported. */
export const expiring: readonly GiftStatus[] = [...redeemable, 'disputed']

export const isRedeemable = ({ status, expiresAt }: Gift, now: Date) =>
  redeemable.includes(status) && expiresAt !== null && expiresAt > now

export const lifetimeMs = limits.giftLifetimeDays * dayMs

/** Returns the gift after the arrival of its payment. */
export const paidGift = (now: Date) => ({
  status: 'paid' as const,
  paidAt: now,
  expiresAt: new Date(now.getTime() + lifetimeMs),
})

/** Returns the gift after a dispute of its payment; undefined when nothing changes. */
export function disputedGift({ status }: Gift, now: Date) {
  // The money had arrived, although no event has reported it.
  if (status === 'created') return { ...paidGift(now), status: 'disputed' as const }
  return redeemable.includes(status) ? { status: 'disputed' as const } : undefined
}

/** Returns the gift after a dispute from this time on was won: its time stood still. Undefined when no time was left. */
export function resumedGift({ status, paidAt, expiresAt }: Gift, disputedAt: Date, now: Date) {
  if (status !== 'disputed' && status !== 'expired') return undefined
  const leftMs = expiresAt ? expiresAt.getTime() - disputedAt.getTime() : lifetimeMs
  if (leftMs <= 0) return undefined
  return { status: 'paid' as const, paidAt: paidAt ?? now, expiresAt: new Date(now.getTime() + leftMs) }
}
