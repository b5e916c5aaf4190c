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

/** The disputes of a local Stripe: one is replaced as it moves on, so that an answer keeps its state. */
export function createStripeDisputes() {
  const disputes = new Map<string, Dispute>()
  return {
    byId: (id: string) => disputes.get(id),
    /** A charge is not expanded in a list. */
    ofCharge: (chargeId: string) => ({
      object: 'list',
      has_more: false,
      data: [...disputes.values()]
        .filter(({ charge }) => charge.id === chargeId)
        .map((dispute) => ({ ...dispute, charge: chargeId, payment_intent: null })),
    }),
    /** Resolves with the content of an event, which only reports a dispute. */
    move({ paymentId, metadata, amount, payment_intent }: Paid, stage: DisputeStage, name: string) {
      const id = `dp_test_${name}_${paymentId}`
      const taken = { amount: -amount - 1500 }
      disputes.set(id, {
        id,
        object: 'dispute',
        status: statusIn[stage],
        balance_transactions: stage === 'inquiry' ? [] : stage === 'won' ? [taken, { amount }] : [taken],
        // Old charges have no payment intent.
        payment_intent: stage === 'won' ? null : { id: payment_intent, object: 'payment_intent', metadata },
        charge: { id: `ch_test_${paymentId}`, object: 'charge', metadata: stage === 'won' ? metadata : {} },
      })
      return { id, object: 'dispute', status: 'needs_response' }
    },
  }
}
