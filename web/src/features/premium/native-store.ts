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
 * Gives access to the store of the device. A native build puts an adapter of its store plugin at
 * `window.calculatorStore`.
 */
export interface StorePlugin {
  initialize: (productIds: readonly string[], platform: NativePlatform) => Promise<void>
  products: () => readonly { id: string; title?: string; description?: string; price?: string }[]
  /** Resolves once the store has accepted the order, whose payment may still be pending. */
  order: (productId: string, accountId: string) => Promise<StorePurchase>
  restore: () => Promise<readonly StorePurchase[]>
  /**
   * Confirms to the store that the server has recorded the purchase. Until then the store returns the purchase again.
   */
  finish: (purchase: StorePurchase) => Promise<void>
}

/** Returns undefined in a browser, and in a native shell without the plugin. */
export const storePlugin = (): StorePlugin | undefined =>
  (globalThis as { calculatorStore?: StorePlugin }).calculatorStore

/**
 * Returns the products as the store describes them. A product that the store has not described yet has default texts
 * and a default price.
 */
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
