import { yearPrice } from '@sumlock/contracts/price'
import { Notice } from '../../shared/ui/Notice.tsx'
import { useGetOfferQuery } from './premium-api.ts'

/** Shows the price, and a note if no money changes hands or no payment is possible. */
export function PaymentNote() {
  const { data: offer } = useGetOfferQuery()
  return (
    <>
      <p>
        <span className="text-2xl font-semibold">{offer?.price ?? yearPrice.label}</span>{' '}
        <span className="text-ink-2">for one year</span>
      </p>
      {offer?.provider === 'sandbox' && (
        <Notice kind="warning">Sandbox: this is a trial of the payment. No money is taken.</Notice>
      )}
      {offer?.provider === null && (
        <Notice kind="warning">
          Payments are not available here right now. A code that you already have still works.
        </Notice>
      )}
      {offer?.provider === 'stripe' && (
        <p className="text-sm text-ink-2">You pay on the page of our payment provider, Stripe.</p>
      )}
    </>
  )
}
