import { storeProductIds } from '@sumlock/contracts/store-products'
import { useEffect, useState } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import type { NativePlatform } from '../../shared/lib/platform.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { toast } from '../../shared/ui/toast.ts'
import { longDate } from './long-date.ts'
import { productsOf, storePlugin } from './native-store.ts'
import type { StorePlugin, StoreProduct } from './native-store.ts'
import { useGetMobileSubscriptionQuery, useValidatePurchaseMutation } from './promo-api.ts'
import type { Purchase } from './promo-api.ts'

const told = (title: string, description: string) => toast({ title, description, variant: 'destructive' })
const messageOf = (error: unknown, fallback: string) =>
  error instanceof Error && error.message ? error.message : sentenceOf(error, fallback)

/** Subscribes through the store of the device; native apps only. */
export function MobileSubscriptionCard({ userId, native }: { userId: string; native: NativePlatform }) {
  const plugin = storePlugin()
  const products = useStore(plugin, native)
  const { data: status } = useGetMobileSubscriptionQuery()
  const [validate, { isLoading }] = useValidatePurchaseMutation()
  const [isOrdering, setIsOrdering] = useState(false)

  const confirm = async (purchase: Purchase) => {
    try {
      await validate(purchase).unwrap()
      toast({ title: 'Subscription Activated', description: 'Your premium subscription is now active!' })
    } catch (error) {
      told('Validation Error', messageOf(error, 'Failed to validate purchase'))
    }
  }
  const attempt = async (action: (store: StorePlugin) => Promise<void>) => {
    if (!plugin) return told('Not Available', 'In-app purchases not available on this platform')
    setIsOrdering(true)
    try {
      await action(plugin)
    } catch (error) {
      told('Purchase Failed', messageOf(error, 'Failed to process purchase'))
    } finally {
      setIsOrdering(false)
    }
  }
  const buy = (id: string) =>
    attempt(async (store) => {
      if (!store.products().some((product) => product.id === id)) throw new Error('Product not found')
      await confirm(await store.order(id, userId))
    })
  const restore = () =>
    attempt(async (store) => {
      const purchases = await store.restore()
      if (purchases.length === 0)
        toast({ title: 'Nothing to restore', description: 'This store account has no purchase.' })
      for (const purchase of purchases) await confirm(purchase)
    })
  const isBusy = isLoading || isOrdering

  return (
    <Card>
      <h2 className="font-semibold">Mobile subscription</h2>
      <p className="mt-0.5 text-sm text-ink-2">
        Pay with your store account. You can cancel there at any time.
      </p>
      {status?.subscription && (
        <p className="mt-1 text-sm text-ink-2">
          {status.isActive ? 'Active until' : 'Ended on'} {longDate(status.subscription.expiryDate)}
        </p>
      )}
      <div className="mt-3 space-y-2">
        {products.map(({ id, title, price }) => (
          <Button
            key={id}
            variant="secondary"
            className="w-full"
            isBusy={isBusy}
            onClick={() => void buy(id)}
          >
            {title} · {price}
          </Button>
        ))}
        <Button variant="ghost" className="w-full" onClick={() => void restore()}>
          Restore purchases
        </Button>
      </div>
    </Card>
  )
}

/** The products, with the prices of the store once it has told them. */
function useStore(plugin: StorePlugin | undefined, native: NativePlatform): StoreProduct[] {
  const [products, setProducts] = useState(() => productsOf(plugin, native))
  useEffect(() => {
    if (!plugin) return told('Not Available', 'In-app purchases not available on this platform')
    let isGone = false
    plugin.initialize(storeProductIds, native).then(
      () => !isGone && setProducts(productsOf(plugin, native)),
      () => !isGone && told('Store Error', 'Failed to initialize app store'),
    )
    return () => {
      isGone = true
    }
  }, [plugin, native])
  return products
}
