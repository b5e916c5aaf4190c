import type { StorePlatform } from './mobile-subscription.ts'

/**
 * Records a promo code that a person redeems at a store. Its status is pending until the store reports a subscription with
 * an offer (success) or 24 hours have passed (failed).
 */
export interface PromoRedemption {
  _id: string
  userId: string
  platform: StorePlatform
  promoCode: string
  status: 'pending' | 'success' | 'failed'
  errorMessage: string | null
  /** The code led to this mobile subscription. */
  subscriptionId: string | null
  createdAt: Date
  updatedAt: Date
}

/** A promo code fails if its store has not confirmed it within this time. */
export const promoPendingMs = 24 * 3_600_000
