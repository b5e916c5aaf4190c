import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { sendJson, startLocalServer } from './local-server.ts'
import { createStripeDisputes } from './stripe-disputes.ts'
import type { DisputeStage } from './stripe-disputes.ts'

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
  expires_at: number
}

export interface SignedEvent {
  body: string
  signature: string
}

export interface StripeServer {
  /** Billing uses this server with these settings. */
  readonly settings: Readonly<Record<string, string>>
  /** Billing has created checkouts by these forms, oldest first. */
  readonly created: readonly URLSearchParams[]
  checkoutOf(paymentId: string): Checkout
  /** Pays a checkout, and returns the event that Stripe sends. */
  pay(paymentId: string): SignedEvent
  /** Lets the bank refuse the card; the checkout stays open for another one. */
  decline(paymentId: string): SignedEvent
  /** Completes a checkout by a bank transfer or the like, which then fails. */
  failLater(paymentId: string): SignedEvent
  /** Ends a checkout without a payment. */
  expire(paymentId: string): SignedEvent
  refund(paymentId: string): SignedEvent
  /** Lets the buyer's bank dispute the charge or continue a dispute. The event reports only that there is a dispute. */
  dispute(paymentId: string, stage: DisputeStage, name?: 'first' | 'second'): SignedEvent
  sign(body: string, options?: { secret?: string; atSeconds?: number }): SignedEvent
  /**
   * Sets how the next requests fail. After `lost`, a request takes effect and its answer never comes; after `silence`,
   * it has no effect either.
   */
  failWith: 'nothing' | 'error' | 'silence' | 'lost'
  /** Called after a checkout was made and before its answer is sent. */
  beforeAnswer: (paymentId: string) => Promise<void>
  /** Called after the disputes of a charge were read and before the answer is sent. */
  afterDisputesRead: () => Promise<void>
  close(): Promise<void>
}

type Answer = [status: number, body: object]

const id = (kind: string) => `${kind}_test_${randomBytes(12).toString('hex')}`
const [halfHour, day] = [1800, 86_400]
const refusal = (status: number, type: string, message: string): Answer => [
  status,
  { error: { type, message } },
]
/** Creating a checkout takes this long, so that a second request with the same key can meet the first one. */
const creationMs = 100

/**
 * Implements the part of Stripe's API that billing uses: it creates and returns checkout sessions, returns disputes,
 * and signs events (scheme v1). Like Stripe, it repeats the stored answer to an idempotency key, even an error 500, and
 * checks when a checkout is to expire.
 */
export async function startStripeServer(nowMs: () => number = Date.now): Promise<StripeServer> {
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`
  const checkouts = new Map<string, Checkout>()
  const disputes = createStripeDisputes()
  const byKey = new Map<string, { asked: string; answer: Answer | 'in flight' }>()
  const created: URLSearchParams[] = []
  const state: Pick<StripeServer, 'failWith' | 'beforeAnswer' | 'afterDisputesRead'> = {
    failWith: 'nothing',
    afterDisputesRead: () => Promise.resolve(),
    beforeAnswer: () => Promise.resolve(),
  }
  const nowSeconds = () => Math.floor(nowMs() / 1000)

  const create = async (asked: string, key: string): Promise<Answer> => {
    const known = byKey.get(key)
    if (known && known.asked !== asked)
      return refusal(400, 'idempotency_error', 'Keys can only be used with the same parameters.')
    if (known?.answer === 'in flight')
      return refusal(409, 'idempotency_error', 'Another request with this key is in progress.')
    if (known) return known.answer
    const form = new URLSearchParams(asked)
    const aheadSeconds = Number(form.get('expires_at')) - nowSeconds()
    if (!(aheadSeconds >= halfHour && aheadSeconds <= day))
      return refusal(400, 'invalid_request_error', 'expires_at must be 30 minutes to 24 hours ahead.')
    byKey.set(key, { asked, answer: 'in flight' })
    await wait(creationMs)
    const answer: Answer =
      state.failWith === 'error' ? refusal(500, 'api_error', 'down') : [200, newCheckout(form)]
    byKey.set(key, { asked, answer })
    return answer
  }
  const newCheckout = (form: URLSearchParams): Checkout => {
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
      expires_at: Number(form.get('expires_at')),
    }
    checkouts.set(sessionId, checkout)
    return checkout
  }

  const answerTo = async (request: IncomingMessage, body: string): Promise<Answer> => {
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return refusal(401, 'invalid_request_error', 'Invalid API Key')
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stripe')
    const [, disputeId] = /^\/v1\/disputes\/([^/]+)$/.exec(pathname) ?? []
    const [, sessionId = ''] = /^\/v1\/checkout\/sessions\/([^/]+)$/.exec(pathname) ?? []
    if (request.method === 'POST' && pathname === '/v1/checkout/sessions') {
      const answer = await create(body, String(request.headers['idempotency-key']))
      await state.beforeAnswer(new URLSearchParams(body).get('metadata[paymentId]') ?? '')
      return answer
    }
    if (state.failWith === 'error') return refusal(500, 'api_error', 'down')
    if (pathname === '/v1/disputes') {
      const list = disputes.ofCharge(searchParams.get('charge') ?? '')
      await state.afterDisputesRead()
      return [200, list]
    }
    const found = disputeId ? disputes.byId(disputeId) : checkouts.get(sessionId)
    return found ? [200, found] : refusal(404, 'invalid_request_error', 'No such checkout.session')
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readText(request)
    if (state.failWith === 'silence') return
    const found = await answerTo(request, body)
    if (state.failWith !== 'lost') sendJson(response, ...found)
  }

  const server = await startLocalServer((request, response) => void answer(request, response))

  const checkoutOf = (paymentId: string): Checkout => {
    const found = [...checkouts.values()].find(({ metadata }) => metadata['paymentId'] === paymentId)
    if (!found) throw new Error(`The Stripe server has no checkout for payment ${paymentId}.`)
    return found
  }
  const sign: StripeServer['sign'] = (body, { secret = webhookSecret, atSeconds } = {}) => {
    const time = atSeconds ?? nowSeconds()
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
    decline(paymentId) {
      const { metadata, payment_intent, amount_total } = checkoutOf(paymentId)
      const intent = { id: payment_intent, object: 'payment_intent', amount: amount_total, metadata }
      return event('payment_intent.payment_failed', { ...intent, status: 'requires_payment_method' })
    },
    failLater(paymentId) {
      const checkout = Object.assign(checkoutOf(paymentId), { status: 'complete' })
      return event('checkout.session.async_payment_failed', checkout)
    },
    expire(paymentId) {
      return event('checkout.session.expired', Object.assign(checkoutOf(paymentId), { status: 'expired' }))
    },
    refund(paymentId) {
      const { metadata, amount_total, payment_intent } = checkoutOf(paymentId)
      const charge = { id: id('ch'), object: 'charge', amount: amount_total, payment_intent, metadata }
      return event('charge.refunded', { ...charge, amount_refunded: amount_total, refunded: true })
    },
    dispute(paymentId, stage, name = 'first') {
      const { metadata, amount_total, payment_intent } = checkoutOf(paymentId)
      const paid = { paymentId, metadata, amount: amount_total, payment_intent }
      return event('charge.dispute.updated', disputes.move(paid, stage, name))
    },
    sign,
    close: server.close,
  } satisfies Omit<StripeServer, keyof typeof state>)
}
