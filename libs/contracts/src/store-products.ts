import { yearPrice } from './price.ts'

/** The subscriptions have these ids in both app stores. */
export const storeProductIds = ['premium_monthly', 'premium_yearly'] as const
/** The price is shown until the store has sent its own. */
export const defaultStorePrice = `${yearPrice.label}/year`
