import type { StorePlatform } from './mobile-subscription.ts'

/** A promo code that someone takes to a store. pending → success by a verified event of the store, → failed after 24 h. */
export interface PromoRedemption {
  _id: string
  userId: string
  platform: StorePlatform
  promoCode: string
  status: 'pending' | 'success' | 'failed'
  errorMessage: string | null
  /** The resulting mobile subscription. */
  subscriptionId: string | null
  createdAt: Date
  updatedAt: Date
}

/** The time in which a store has to confirm a promo code. */
export const promoPendingMs = 24 * 3_600_000
