import { yearPrice } from './price.ts'

/** The subscriptions in the stores. */
export const storeProductIds = ['premium_monthly', 'premium_yearly'] as const
/** The price that is shown until the store has sent its own. */
export const defaultStorePrice = `${yearPrice.label}/year`
