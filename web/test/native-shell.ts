import type { StorePlugin } from '../src/features/premium/native-store.ts'
import type { StorePurchase } from '../src/features/premium/promo-api.ts'

const shell = globalThis as { Capacitor?: unknown; calculatorStore?: StorePlugin }

export const androidPurchase = {
  platform: 'android',
  packageName: 'p',
  productId: 'premium_yearly',
  purchaseToken: 't',
} satisfies StorePurchase

/** Turns the page into a native shell, with a store if one is given. */
export function enterShell(
  name: 'ios' | 'android',
  store?: Partial<StorePlugin>,
  plugins?: Record<string, unknown>,
): void {
  shell.Capacitor = { isNativePlatform: () => true, getPlatform: () => name, Plugins: plugins }
  const products = [{ id: 'premium_monthly', title: 'Monthly', price: '$2.99' }, { id: 'premium_yearly' }]
  if (!store) return
  shell.calculatorStore = {
    initialize: () => Promise.resolve(),
    products: () => products,
    order: () => Promise.resolve(androidPurchase),
    restore: () => Promise.resolve([]),
    finish: () => Promise.resolve(),
    ...store,
  }
}

export function leaveShell(): void {
  delete shell.Capacitor
  delete shell.calculatorStore
}
