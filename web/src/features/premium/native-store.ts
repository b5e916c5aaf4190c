import { defaultStorePrice, storeProductIds } from '@sumlock/contracts/store-products'
import type { NativePlatform } from '../device/platform.ts'
import type { StorePurchase } from './promo-api.ts'

export interface StoreProduct {
  id: string
  title: string
  description: string
  price: string
  platform: NativePlatform
}

/**
 * The interface to the store of the device. A native build puts an adapter of its store plugin at
 * `window.calculatorStore`.
 */
export interface StorePlugin {
  initialize: (productIds: readonly string[], platform: NativePlatform) => Promise<void>
  products: () => readonly { id: string; title?: string; description?: string; price?: string }[]
  /** Resolves once the store has taken the order, which may still wait for its payment. */
  order: (productId: string, accountId: string) => Promise<StorePurchase>
  restore: () => Promise<readonly StorePurchase[]>
  /** Tells the store that the server has recorded the purchase. Until then, the store hands it over again. */
  finish: (purchase: StorePurchase) => Promise<void>
}

/** Undefined in a browser, and in a shell without the plugin. */
export const storePlugin = (): StorePlugin | undefined =>
  (globalThis as { calculatorStore?: StorePlugin }).calculatorStore

/** Returns the products as the store describes them, or with default texts and prices until it does. */
export const productsOf = (plugin: StorePlugin | undefined, platform: NativePlatform): StoreProduct[] =>
  storeProductIds.map((id) => {
    const found = plugin?.products().find((product) => product.id === id)
    const isYearly = id === 'premium_yearly'
    return {
      id,
      title: found?.title ?? (isYearly ? 'Premium, yearly' : 'Premium, monthly'),
      description: found?.description ?? 'Unlimited messages',
      price: found?.price ?? defaultStorePrice,
      platform,
    }
  })
