import type { NativePlatform } from '../device/platform.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { dateText } from '../../shared/lib/date-text.ts'
import { useGetMobileSubscriptionQuery } from './promo-api.ts'
import type { MobileSubscription } from './promo-api.ts'
import { useStorePurchases } from './use-store-purchases.ts'

/** Lets the person subscribe through the store of the device. Only native apps show this card. */
export function MobileSubscriptionCard({ userId, native }: { userId: string; native: NativePlatform }) {
  const { products, buy, restore, inProgress } = useStorePurchases(userId, native)
  const { data: status } = useGetMobileSubscriptionQuery()
  return (
    <Card>
      <h2 className="font-semibold">Mobile subscription</h2>
      <p className="mt-0.5 text-sm text-ink-2">
        Pay with your store account. You can cancel there at any time.
      </p>
      {status?.subscription && <p className="mt-1 text-sm text-ink-2">{stateOf(status)}</p>}
      <div className="mt-3 -mb-2 space-y-2">
        {products.map(({ id, title, description, price }) => (
          <Button
            key={id}
            variant="secondary"
            className="w-full flex-wrap text-left"
            isBusy={inProgress === id}
            disabled={inProgress !== null && inProgress !== id}
            onClick={() => void buy(id)}
          >
            <span className="flex-1 basis-36">
              {title}
              <span className="block text-sm font-normal text-ink-2">{description}</span>
            </span>{' '}
            <span className="mr-auto shrink-0 font-semibold">{price}</span>
          </Button>
        ))}
        <Button
          variant="ghost"
          className="w-full"
          isBusy={inProgress === 'restore'}
          disabled={inProgress !== null && inProgress !== 'restore'}
          onClick={() => void restore()}
        >
          Restore purchases
        </Button>
      </div>
    </Card>
  )
}

function stateOf({ isActive, subscription }: MobileSubscription): string | undefined {
  if (!subscription) return undefined
  const { expiryDate, autoRenewing } = subscription
  if (isActive) return `Active until ${dateText(expiryDate)}`
  // A subscription that renews itself has ended only for now: its payment is open, or the person paused it in the
  // store.
  return autoRenewing ? 'Waiting for the store' : `Ended on ${dateText(expiryDate)}`
}
