export type PaymentKind = 'upgrade' | 'gift'

/**
 * created → paid → refunded; a checkout that was left or refused is `failed` and may still be paid. While the buyer's bank has
 * taken the money back it is `disputed`, and becomes paid again or refunded.
 */
export type PaymentStatus = 'created' | 'paid' | 'failed' | 'disputed' | 'refunded'

/** Why premium ended before its time. */
export type EndReason = 'refunded' | 'disputed'

export interface Payment {
  /** The id of the payment and of an upgrade's first grant. */
  _id: string
  userId: string
  kind: PaymentKind
  giftId: string | null
  provider: 'sandbox' | 'stripe'
  cents: number
  currency: string
  status: PaymentStatus
  /** The purchase and its buyer; unique while it may not be bought twice. */
  openKey?: string
  /** The provider's id of the checkout and its page, once it was created. */
  checkoutId?: string
  checkoutUrl?: string
  createdAt: Date
  paidAt: Date | null
  /** The grant that stands after a dispute was won. */
  grantId?: string
  /** The number of stored readings of its disputes; absent before the first. */
  disputesRead?: number
  /** Time and reason of the early end of what it paid for, and the premium that was taken. */
  ended?: { at: Date; reason: EndReason; takenMs: number }
  /** The last time its state was read from the provider. */
  checkedAt: Date
}

const minuteMs = 60_000
/** A checkout that could not be opened is tried again for this long after its payment was made. */
export const openingMs = 30 * minuteMs
/** Stripe wants 30 minutes between the last try and the end, and clocks differ. */
export const checkoutLifetimeMs = openingMs + 35 * minuteMs

export interface OpenedCheckout {
  checkoutId: string
  checkoutUrl?: string
}

/** The provider has refused, and would refuse again. */
export interface RefusedCheckout {
  refusal: unknown
}

export type CheckoutState = 'open' | 'paid' | 'failed'

/** The state of all disputes of a payment together: the money is away, is back, or is lost. */
export type DisputeState = 'withdrawn' | 'dispute-won' | 'dispute-lost'

/** A provider's report about a payment. */
export interface PaymentEvent {
  paymentId: string
  change: 'paid' | 'failed' | 'refunded' | DisputeState
}

/** A dispute has changed. Events come in any order, so only `readDisputes` gives the state. */
export interface DisputeEvent {
  paymentId: string
  chargeId: string
}

/** A provider of payments. Its errors mean that it could not be reached and nothing was charged. */
export interface Payments {
  readonly provider: Payment['provider']
  /** Idempotent by the payment's id. */
  openCheckout(payment: Payment): Promise<OpenedCheckout | RefusedCheckout>
  stateOf(checkoutId: string): Promise<CheckoutState>
  /** Parses a signed webhook; null when it is of no interest. Throws `signature_invalid`. */
  readEvent(
    body: Uint8Array,
    signature: string | undefined,
    now: Date,
  ): Promise<PaymentEvent | DisputeEvent | null>
  /** Reads the present state of a charge's disputes; null when no money has moved. */
  readDisputes(chargeId: string): Promise<DisputeState | null>
}
