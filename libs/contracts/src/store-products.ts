import { yearPrice } from './price.ts'

/** The subscriptions in the stores. */
export const storeProductIds = ['premium_monthly', 'premium_yearly'] as const
/** Shown until the store has told its own price. */
export const defaultStorePrice = `${yearPrice.label}/year`
