export type DisputeStage = 'inquiry' | 'withdrawn' | 'won' | 'lost'

interface Dispute {
  id: string
  object: 'dispute'
  status: string
  balance_transactions: { amount: number }[]
  payment_intent: object | null
  charge: { id: string; object: 'charge'; metadata: object }
}

interface Paid {
  paymentId: string
  metadata: object
  amount: number
  payment_intent: string
}

const statusIn = {
  inquiry: 'warning_needs_response',
  withdrawn: 'needs_response',
  won: 'won',
  lost: 'lost',
} as const

/**
 * Creates the disputes of the local Stripe server. A dispute that moves on is replaced by a new object, so that an
 * earlier answer keeps its state.
 */
export function createStripeDisputes() {
  const disputes = new Map<string, Dispute>()
  return {
    byId: (id: string) => disputes.get(id),
    /**
     * Lists the disputes of a charge. A list contains the id of the charge instead of the charge itself, as Stripe's
     * lists do.
     */
    ofCharge: (chargeId: string) => ({
      object: 'list',
      has_more: false,
      data: [...disputes.values()]
        .filter(({ charge }) => charge.id === chargeId)
        .map((dispute) => ({ ...dispute, charge: chargeId, payment_intent: null })),
    }),
    /**
     * Creates a dispute or moves it on, and returns the content of the event. The event always has the state
     * `needs_response`, so that billing must read the dispute itself.
     */
    move({ paymentId, metadata, amount, payment_intent }: Paid, stage: DisputeStage, name: string) {
      const id = `dp_test_${name}_${paymentId}`
      const taken = { amount: -amount - 1500 }
      disputes.set(id, {
        id,
        object: 'dispute',
        status: statusIn[stage],
        balance_transactions: stage === 'inquiry' ? [] : stage === 'won' ? [taken, { amount }] : [taken],
        // Old charges have no payment intent; a won dispute is about such a charge.
        payment_intent: stage === 'won' ? null : { id: payment_intent, object: 'payment_intent', metadata },
        charge: { id: `ch_test_${paymentId}`, object: 'charge', metadata: stage === 'won' ? metadata : {} },
      })
      return { id, object: 'dispute', status: 'needs_response' }
    },
  }
}
