import { limits } from '@sumlock/contracts/limits'
import { dayMs } from './ledger.ts'

/**
 * created (the payment is open) → paid → sent (the mail was requested) → redeemed, or expired a year after it was paid; or
 * refunded. A gift that is not redeemed is `disputed` while its payment is disputed. If the dispute is won, the gift is
 * `paid` again, even if it expired during the dispute.
 */
export type GiftStatus = 'created' | 'paid' | 'sent' | 'redeemed' | 'expired' | 'disputed' | 'refunded'

export interface Gift {
  /** The first grant to the person who redeems the gift has the same id. */
  _id: string
  buyerId: string
  /** The address and the message are removed when the gift is redeemed, expired or refunded. */
  recipientEmail?: string
  giftMessage?: string
  /** The code is derived with the key of this id. */
  codeKeyId: string
  /** A gift is found by this unique keyed hash, because its code is not stored. */
  codeHash: string
  status: GiftStatus
  createdAt: Date
  paidAt: Date | null
  /** The gift expires a year after its payment; a won dispute moves this time by its duration. Null before the payment. */
  expiresAt: Date | null
  isRedeemed: boolean
  redeemedBy: string | null
  redeemedAt: Date | null
}

/** A gift can be redeemed in these states. */
export const redeemable: readonly GiftStatus[] = ['paid', 'sent']
/**
 * A gift in these states expires when its time is over. Disputed gifts expire too, because the end of a dispute may never be
 * reported.
 */
export const expiring: readonly GiftStatus[] = [...redeemable, 'disputed']

export const isRedeemable = ({ status, expiresAt }: Gift, now: Date) =>
  redeemable.includes(status) && expiresAt !== null && expiresAt > now

export const lifetimeMs = limits.giftLifetimeDays * dayMs

/** Returns the changes to a gift whose payment has arrived. */
export const paidGift = (now: Date) => ({
  status: 'paid' as const,
  paidAt: now,
  expiresAt: new Date(now.getTime() + lifetimeMs),
})

/** Returns the changes to a gift whose payment is disputed; undefined when nothing changes. */
export function disputedGift({ status }: Gift, now: Date) {
  // A disputed payment must have arrived before, although no event has reported it.
  if (status === 'created') return { ...paidGift(now), status: 'disputed' as const }
  return redeemable.includes(status) ? { status: 'disputed' as const } : undefined
}

/**
 * Returns the changes to a gift after a won dispute that began at `disputedAt`. The gift keeps the time that was left then;
 * the result is undefined when no time was left.
 */
export function resumedGift({ status, paidAt, expiresAt }: Gift, disputedAt: Date, now: Date) {
  if (status !== 'disputed' && status !== 'expired') return undefined
  const leftMs = expiresAt ? expiresAt.getTime() - disputedAt.getTime() : lifetimeMs
  if (leftMs <= 0) return undefined
  return { status: 'paid' as const, paidAt: paidAt ?? now, expiresAt: new Date(now.getTime() + leftMs) }
}
