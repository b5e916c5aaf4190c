import { setTimeout as wait } from 'node:timers/promises'
import { unavailable } from '@sumlock/service-kit/app-error'
import Stripe from 'stripe'
import { signatureInvalid } from '../domain/store-errors.ts'
import { checkoutLifetimeMs } from '../domain/payment.ts'
import { ownerOfDispute, stateOfDisputes } from './stripe-disputes.ts'
import type { OpenedCheckout, Payment, PaymentEvent, Payments, RefusedCheckout } from '../domain/payment.ts'

export interface StripeSettings {
  secretKey: string
  /** Holds the present secret of the webhook and, during a rotation, the previous one. */
  webhookSecrets: readonly string[]
  /** Tests set the address of a local server. */
  url: string
  timeoutMs: number
  /** The buyer returns to a page of this origin. */
  publicOrigin: string
}

/** The buyer sees these texts at Stripe and on the bank statement. They must not reveal more than the icon of the app. */
const productName = 'Calculator, one year'
const statementSuffix = 'CALCULATOR'
const toleranceSeconds = 300
const askAgainMs = 250

/** Sells through Stripe Checkout. A checkout and its payment carry the id of our payment as metadata. */
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

    async openCheckout(payment) {
      for (const startedMs = performance.now(); ;) {
        try {
          return await createCheckout(stripe, settings.publicOrigin, payment)
        } catch (error) {
          const status = error instanceof Stripe.errors.StripeError ? error.statusCode : undefined
          if (status !== undefined && status !== 409) return { refusal: error }
          if (status === undefined || performance.now() - startedMs > settings.timeoutMs) throw error
          // 409 means that another request for this payment is in flight. Stripe then gives both requests the same answer.
          await wait(askAgainMs)
        }
      }
    },

    async stateOf(checkoutId) {
      const session = await stripe.checkout.sessions.retrieve(checkoutId)
      if (session.payment_status === 'paid') return 'paid'
      return session.status === 'expired' ? 'failed' : 'open'
    },

    async readEvent(body, signature, now) {
      const event = verifiedBy(stripe, settings.webhookSecrets, { body, signature, now })
      const { object } = event.data
      return object.object === 'dispute'
        ? ownerOfDispute(stripe, object.id).catch(notAnswered)
        : changeIn(event)
    },

    async readDisputes(chargeId) {
      const disputes = await stripe.disputes.list({ charge: chargeId, limit: 100 }).catch(notAnswered)
      return stateOfDisputes(disputes.data)
    },
  }
}

function notAnswered(error: unknown): never {
  throw unavailable('payment provider', error)
}

/**
 * Every parameter comes from the stored payment, because Stripe refuses an idempotency key that is used again with other
 * parameters.
 */
async function createCheckout(
  stripe: Stripe,
  publicOrigin: string,
  { _id, kind, cents, currency, createdAt }: Payment,
): Promise<OpenedCheckout | RefusedCheckout> {
  const metadata = { paymentId: _id }
  const back = `${publicOrigin}/settings/payment?id=${_id}`
  const name = kind === 'gift' ? `${productName}, as a present` : productName
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'payment',
      line_items: [{ quantity: 1, price_data: { currency, unit_amount: cents, product_data: { name } } }],
      client_reference_id: _id,
      metadata,
      payment_intent_data: { metadata, statement_descriptor_suffix: statementSuffix },
      success_url: back,
      cancel_url: `${back}&cancelled=1`,
      expires_at: Math.floor((createdAt.getTime() + checkoutLifetimeMs) / 1000),
    },
    { idempotencyKey: _id },
  )
  if (!session.url) return { refusal: `checkout ${session.id} has no page` }
  return { checkoutId: session.id, checkoutUrl: session.url }
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
      // The next secret may be the right one.
    }
  }
  throw signatureInvalid()
}

function changeIn({ type, data }: Stripe.Event): PaymentEvent | null {
  if (type === 'checkout.session.completed' || type === 'checkout.session.async_payment_succeeded')
    return data.object.payment_status === 'paid' ? about(data.object.metadata, 'paid') : null
  if (type === 'checkout.session.expired' || type === 'checkout.session.async_payment_failed')
    return about(data.object.metadata, 'failed')
  // `refunded` is true once the whole amount was given back. The charge has the metadata of its payment intent.
  if (type === 'charge.refunded') return data.object.refunded ? about(data.object.metadata, 'refunded') : null
  return null
}

const about = (metadata: Stripe.Metadata | null, change: PaymentEvent['change']): PaymentEvent | null =>
  metadata?.['paymentId'] ? { paymentId: metadata['paymentId'], change } : null
