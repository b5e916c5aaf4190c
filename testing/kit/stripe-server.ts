import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { sendJson, startLocalServer } from './local-server.ts'

interface Checkout {
  id: string
  object: 'checkout.session'
  url: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  amount_total: number
  currency: string
  metadata: Record<string, string>
  payment_intent: string
  client_reference_id: string
}

export interface SignedEvent {
  body: string
  signature: string
}

export interface StripeServer {
  /** Settings with which billing uses this server. */
  readonly settings: Readonly<Record<string, string>>
  /** The forms of the checkouts that were created, oldest first. */
  readonly created: readonly URLSearchParams[]
  checkoutOf(paymentId: string): Checkout
  /** The buyer pays; resolves with the event that Stripe sends. */
  pay(paymentId: string): SignedEvent
  /** The buyer leaves, or the bank refuses: the checkout ends without a payment. */
  expire(paymentId: string): SignedEvent
  refund(paymentId: string): SignedEvent
  sign(body: string, options?: { secret?: string; atSeconds?: number }): SignedEvent
  /** How the next requests fail. */
  failWith: 'nothing' | 'error' | 'silence'
  close(): Promise<void>
}

const id = (kind: string) => `${kind}_test_${randomBytes(12).toString('hex')}`

/** Speaks what billing uses of Stripe's API: create and read a checkout session, and signed events (scheme v1). */
export async function startStripeServer(): Promise<StripeServer> {
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`
  const checkouts = new Map<string, Checkout>()
  const byKey = new Map<string, Checkout>()
  const created: URLSearchParams[] = []
  const state = { failWith: 'nothing' as StripeServer['failWith'] }

  const create = (form: URLSearchParams, key: string): Checkout => {
    const known = byKey.get(key)
    if (known) return known
    created.push(form)
    const sessionId = id('cs')
    const checkout: Checkout = {
      id: sessionId,
      object: 'checkout.session',
      url: `http://127.0.0.1:1/pay/${sessionId}`,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]') ?? '',
      metadata: { paymentId: form.get('metadata[paymentId]') ?? '' },
      payment_intent: id('pi'),
      client_reference_id: form.get('client_reference_id') ?? '',
    }
    byKey.set(key, checkout)
    checkouts.set(sessionId, checkout)
    return checkout
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readText(request)
    if (state.failWith === 'silence') return
    if (state.failWith === 'error')
      return sendJson(response, 500, { error: { type: 'api_error', message: 'down' } })
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return sendJson(response, 401, { error: { type: 'invalid_request_error', message: 'Invalid API Key' } })
    const { pathname } = new URL(request.url ?? '', 'http://stripe')
    const [, sessionId] = /^\/v1\/checkout\/sessions\/([^/]+)$/.exec(pathname) ?? []
    if (request.method === 'POST' && pathname === '/v1/checkout/sessions')
      return sendJson(
        response,
        200,
        create(new URLSearchParams(body), String(request.headers['idempotency-key'])),
      )
    const found = sessionId === undefined ? undefined : checkouts.get(sessionId)
    if (found) return sendJson(response, 200, found)
    sendJson(response, 404, { error: { type: 'invalid_request_error', message: 'No such checkout.session' } })
  }

  const server = await startLocalServer((request, response) => void answer(request, response))

  const checkoutOf = (paymentId: string): Checkout => {
    const found = [...checkouts.values()].find(({ metadata }) => metadata['paymentId'] === paymentId)
    if (!found) throw new Error(`no checkout of payment ${paymentId}`)
    return found
  }
  const sign: StripeServer['sign'] = (body, { secret = webhookSecret, atSeconds } = {}) => {
    const time = atSeconds ?? Math.floor(Date.now() / 1000)
    const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
    return { body, signature: `t=${time},v1=${mac}` }
  }
  const event = (type: string, object: object) =>
    sign(
      JSON.stringify({ id: id('evt'), object: 'event', api_version: '2025-01-01', type, data: { object } }),
    )

  return Object.assign(state, {
    settings: {
      PAYMENTS: 'stripe',
      STRIPE_URL: server.url,
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRETS: webhookSecret,
    },
    created,
    checkoutOf,
    pay(paymentId) {
      const checkout = Object.assign(checkoutOf(paymentId), { status: 'complete', payment_status: 'paid' })
      return event('checkout.session.completed', checkout)
    },
    expire(paymentId) {
      return event('checkout.session.expired', Object.assign(checkoutOf(paymentId), { status: 'expired' }))
    },
    refund(paymentId) {
      const { metadata, amount_total, payment_intent } = checkoutOf(paymentId)
      const charge = { id: id('ch'), object: 'charge', amount: amount_total, payment_intent, metadata }
      return event('charge.refunded', { ...charge, amount_refunded: amount_total, refunded: true })
    },
    sign,
    close: server.close,
  } satisfies Omit<StripeServer, 'failWith'>)
}
