import type Stripe from 'stripe'
import type { DisputeEvent, DisputeState } from '../domain/payment.ts'

/**
 * Finds our payment for a dispute. The id of the payment is in the metadata of the payment intent and of the charge; old
 * charges have no payment intent.
 */
export async function ownerOfDispute(stripe: Stripe, id: string): Promise<DisputeEvent | null> {
  const { charge, payment_intent: intent } = await stripe.disputes.retrieve(id, {
    expand: ['payment_intent', 'charge'],
  })
  const paymentIds = [intent, charge].map((one) =>
    typeof one === 'object' ? one?.metadata['paymentId'] : undefined,
  )
  const paymentId = paymentIds.find(Boolean)
  return paymentId ? { paymentId, chargeId: typeof charge === 'string' ? charge : charge.id } : null
}

type DisputeFacts = Pick<Stripe.Dispute, 'status'> & { balance_transactions: readonly { amount: number }[] }

/**
 * Summarises the disputes of a charge, which may have several. The money is back only when no dispute keeps it. Inquiries
 * move no money.
 */
export function stateOfDisputes(disputes: readonly DisputeFacts[]): DisputeState | null {
  const states = new Set(disputes.map(stateOf))
  return (['dispute-lost', 'withdrawn', 'dispute-won'] as const).find((state) => states.has(state)) ?? null
}

function stateOf({ status, balance_transactions: moves }: DisputeFacts): DisputeState | null {
  if (status === 'won') return 'dispute-won'
  if (status === 'lost') return 'dispute-lost'
  if (moves.reduce((sum, { amount }) => sum + amount, 0) >= 0) return null
  // A prevented dispute has ended, and its money was not returned.
  return status === 'prevented' ? 'dispute-lost' : 'withdrawn'
}
