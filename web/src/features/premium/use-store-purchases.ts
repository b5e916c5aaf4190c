import { storeProductIds } from '@sumlock/contracts/store-products'
import { useEffect, useState } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { usePage } from '../../page.ts'
import type { Toasts } from '../../shared/ui/toasts.ts'
import type { NativePlatform } from '../device/platform.ts'
import { productsOf, storePlugin } from './native-store.ts'
import type { StorePlugin, StoreProduct } from './native-store.ts'
import { useValidatePurchaseMutation } from './promo-api.ts'
import type { StorePurchase } from './promo-api.ts'

/** Creates the toasts that report the outcome of a purchase. */
const toldBy = ({ toast }: Toasts) => {
  const told = (title: string, description: string) => toast({ title, description, variant: 'destructive' })
  return {
    told,
    notAvailable: () => told('Not Available', 'In-app purchases not available on this platform'),
    activated: () =>
      toast({ title: 'Subscription Activated', description: 'Your premium subscription is now active!' }),
    pending: () =>
      toast({
        title: 'Purchase pending',
        description:
          'Your purchase is waiting for the store. Premium begins once the store confirms the payment.',
      }),
    nothingToRestore: (description: string) => toast({ title: 'Nothing to restore', description }),
  }
}
const messageOf = (error: unknown, fallback: string) =>
  error instanceof Error && error.message ? error.message : sentenceOf(error, fallback)

/**
 * Lets a person buy and restore at the store of the device, and reports the outcome in a toast. `inProgress` is the id
 * of the product that is being bought, or `restore`.
 */
export function useStorePurchases(userId: string, native: NativePlatform) {
  const { toasts } = usePage()
  const { told, notAvailable, activated, pending, nothingToRestore } = toldBy(toasts)
  const plugin = storePlugin()
  const products = useProducts(plugin, native)
  const [validate] = useValidatePurchaseMutation()
  const [inProgress, setInProgress] = useState<string | null>(null)

  /**
   * Resolves to true if the purchase gives premium now, to false if not yet, and to null if validating it failed, which
   * a toast reports.
   */
  const confirm = async (store: StorePlugin, purchase: StorePurchase): Promise<boolean | null> => {
    try {
      const isActive = (await validate(purchase).unwrap()).subscriptionType === 'premium'
      // A purchase at Google Play may still wait for its payment, and must not be finished before it is paid.
      if (isActive || purchase.platform === 'ios') await finish(store, purchase)
      return isActive
    } catch (error) {
      told('Validation Error', messageOf(error, 'Failed to validate purchase'))
      return null
    }
  }
  const attempt = async (name: string, action: (store: StorePlugin) => Promise<void>) => {
    if (!plugin) return notAvailable()
    setInProgress(name)
    try {
      await action(plugin)
    } catch (error) {
      told('Purchase Failed', messageOf(error, 'Failed to process purchase'))
    } finally {
      setInProgress(null)
    }
  }
  const buy = (id: string) =>
    attempt(id, async (store) => {
      if (!store.products().some((product) => product.id === id)) throw new Error('Product not found')
      const isActive = await confirm(store, await store.order(id, userId))
      if (isActive !== null) (isActive ? activated : pending)()
    })
  const restore = () =>
    attempt('restore', async (store) => {
      const purchases = await store.restore()
      if (purchases.length === 0) return nothingToRestore('This store account has no purchase.')
      const outcomes: (boolean | null)[] = []
      for (const purchase of purchases) outcomes.push(await confirm(store, purchase))
      if (outcomes.includes(true)) activated()
      else if (!outcomes.includes(null))
        nothingToRestore('What this store account bought has ended, or is not paid yet.')
    })
  return { products, buy, restore, inProgress }
}

/** A failure is only logged: the store returns the unfinished purchase again, and validating it twice does no harm. */
const finish = (store: StorePlugin, purchase: StorePurchase) =>
  store.finish(purchase).catch((error: unknown) => console.warn('The store did not finish a purchase', error))

/** Returns the products, with the store's prices once the store has sent them. */
function useProducts(plugin: StorePlugin | undefined, native: NativePlatform): StoreProduct[] {
  const { toasts } = usePage()
  const [products, setProducts] = useState(() => productsOf(plugin, native))
  useEffect(() => {
    const { told, notAvailable } = toldBy(toasts)
    if (!plugin) return notAvailable()
    let isGone = false
    plugin.initialize(storeProductIds, native).then(
      () => !isGone && setProducts(productsOf(plugin, native)),
      () => !isGone && told('Store Error', 'Failed to initialize app store'),
    )
    return () => {
      isGone = true
    }
  }, [plugin, native, toasts])
  return products
}
