export type PaymentKind = 'upgrade' | 'gift'

/**
 * created → paid → refunded. A checkout that was abandoned or refused is `failed` and may still be paid. A payment is
 * `disputed` while the buyer's bank has taken the money back, and then becomes paid again or refunded.
 */
export type PaymentStatus = 'created' | 'paid' | 'failed' | 'disputed' | 'refunded'

/** An early end of premium has one of these reasons. */
export type EndReason = 'refunded' | 'disputed'

export interface Payment {
  /** The first grant of an upgrade has the same id. */
  _id: string
  userId: string
  kind: PaymentKind
  giftId: string | null
  provider: 'sandbox' | 'stripe'
  cents: number
  currency: string
  status: PaymentStatus
  /** Names the purchase and its buyer. It is unique, so the same purchase has one payment until this field is removed. */
  openKey?: string
  /** The provider's id of the checkout and the address of its page are set once the checkout exists. */
  checkoutId?: string
  checkoutUrl?: string
  createdAt: Date
  paidAt: Date | null
  /** This grant returned the premium after a won dispute. */
  grantId?: string
  /** Counts the stored readings of the disputes of this payment; absent before the first. */
  disputesRead?: number
  /**
   * Set when the premium or gift of this payment ended early: the time, the reason, and the milliseconds of premium that
   * were taken.
   */
  ended?: { at: Date; reason: EndReason; takenMs: number }
  /** The payment was last read from its provider, or claimed for reading, at this time. */
  checkedAt: Date
}

const minuteMs = 60_000
/** If a checkout could not be opened, it is tried again for this long after its payment was created. */
export const openingMs = 30 * minuteMs
/**
 * Stripe requires 30 minutes between the opening of a checkout and its end. Five more minutes allow for clocks that differ.
 */
export const checkoutLifetimeMs = openingMs + 35 * minuteMs

export interface OpenedCheckout {
  checkoutId: string
  checkoutUrl?: string
}

/** The provider has refused to open the checkout and would refuse it again. */
export interface RefusedCheckout {
  refusal: unknown
}

export type CheckoutState = 'open' | 'paid' | 'failed'

/** Summarises all disputes of a payment: the money was taken back, was returned, or is lost. */
export type DisputeState = 'withdrawn' | 'dispute-won' | 'dispute-lost'

/** A provider reports this change of a payment. */
export interface PaymentEvent {
  paymentId: string
  change: 'paid' | 'failed' | 'refunded' | DisputeState
}

/** A provider reports that a dispute has changed. Reports come in any order, so only `readDisputes` gives the state. */
export interface DisputeEvent {
  paymentId: string
  chargeId: string
}

/**
 * Calls a payment provider. Errors of `openCheckout` mean that the provider could not be reached and nothing was charged.
 */
export interface Payments {
  readonly provider: Payment['provider']
  /** Opens one checkout per payment, however often it is called. */
  openCheckout(payment: Payment): Promise<OpenedCheckout | RefusedCheckout>
  stateOf(checkoutId: string): Promise<CheckoutState>
  /** Parses a signed webhook; resolves with null when it reports no change of a payment. Throws `signature_invalid`. */
  readEvent(
    body: Uint8Array,
    signature: string | undefined,
    now: Date,
  ): Promise<PaymentEvent | DisputeEvent | null>
  /** Reads the present state of a charge's disputes; resolves with null when they have moved no money. */
  readDisputes(chargeId: string): Promise<DisputeState | null>
}
