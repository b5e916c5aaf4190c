import Stripe from 'stripe'
import { signatureInvalid } from '../domain/store-errors.ts'
import type { Payments, PaymentEvent } from '../domain/payment.ts'

export interface StripeSettings {
  secretKey: string
  /** The present secret of the webhook and, during a rotation, the one before. */
  webhookSecrets: readonly string[]
  /** The API, for tests against a local server. */
  url: string
  timeoutMs: number
  /** Where the buyer comes back to. */
  publicOrigin: string
}

/** What the buyer reads at the provider and on the bank statement says no more than the app's icon does. */
const productName = 'Calculator, one year'
const statementSuffix = 'CALCULATOR'
/** The shortest that Stripe allows. */
const checkoutLifetimeSeconds = 31 * 60
const toleranceSeconds = 300

/** Stripe Checkout. A checkout and its payment carry our payment's id as metadata. */
export function createStripePayments(settings: StripeSettings): Payments {
  const { hostname, port, protocol } = new URL(settings.url)
  const stripe = new Stripe(settings.secretKey, {
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: settings.timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
  })
  return {
    provider: 'stripe',

    async openCheckout({ _id, kind, cents, currency }, now) {
      const metadata = { paymentId: _id }
      const back = `${settings.publicOrigin}/settings/payment?id=${_id}`
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'payment',
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency,
                unit_amount: cents,
                product_data: { name: kind === 'gift' ? `${productName}, as a present` : productName },
              },
            },
          ],
          client_reference_id: _id,
          metadata,
          payment_intent_data: { metadata, statement_descriptor_suffix: statementSuffix },
          success_url: back,
          cancel_url: back,
          expires_at: Math.floor(now.getTime() / 1000) + checkoutLifetimeSeconds,
        },
        { idempotencyKey: _id },
      )
      if (!session.url) throw new Error(`Stripe gave checkout ${session.id} no page`)
      return { checkoutId: session.id, checkoutUrl: session.url }
    },

    async stateOf(checkoutId) {
      const session = await stripe.checkout.sessions.retrieve(checkoutId)
      if (session.payment_status === 'paid') return 'paid'
      return session.status === 'expired' ? 'failed' : 'open'
    },

    readEvent(body, signature, now) {
      const event = verifiedBy(stripe, settings.webhookSecrets, { body, signature, now })
      return Promise.resolve(changeIn(event))
    },
  }
}

function verifiedBy(
  stripe: Stripe,
  secrets: readonly string[],
  { body, signature, now }: { body: Uint8Array; signature: string | undefined; now: Date },
): Stripe.Event {
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(
        Buffer.from(body),
        signature ?? '',
        secret,
        toleranceSeconds,
        undefined,
        now.getTime(),
      )
    } catch {
      // The other secret may be the right one.
    }
  }
  throw signatureInvalid()
}

function changeIn({ type, data }: Stripe.Event): PaymentEvent | null {
  if (type === 'checkout.session.completed' || type === 'checkout.session.async_payment_succeeded')
    return data.object.payment_status === 'paid' ? about(data.object.metadata, 'paid') : null
  if (type === 'checkout.session.expired' || type === 'checkout.session.async_payment_failed')
    return about(data.object.metadata, 'failed')
  // `refunded` is true once all of it was given back. The charge has the metadata of its payment intent.
  if (type === 'charge.refunded') return data.object.refunded ? about(data.object.metadata, 'refunded') : null
  return null
}

const about = (metadata: Stripe.Metadata | null, change: PaymentEvent['change']): PaymentEvent | null =>
  metadata?.['paymentId'] ? { paymentId: metadata['paymentId'], change } : null
