import { limits } from '@sumlock/contracts/limits'
import { dayMs } from './ledger.ts'

/**
 * created (the payment is open) → paid → sent (the mail was requested) → redeemed, or expired a year after it was paid; or
 * refunded. One that is not redeemed is `disputed` while the payment is, and paid again if the dispute is won.
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
  /** A year after it was paid; null before. */
  expiresAt: Date | null
  isRedeemed: boolean
  redeemedBy: string | null
  redeemedAt: Date | null
}

/** What a gift becomes when its payment arrives, or is won back. */
export const paidGift = (now: Date) => ({
  status: 'paid' as const,
  paidAt: now,
  expiresAt: new Date(now.getTime() + limits.giftLifetimeDays * dayMs),
})
