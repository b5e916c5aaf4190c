import { disputedGift, paidGift, resumedGift } from './gift.ts'
import type { Gift } from './gift.ts'
import type { EndReason, Payment, PaymentEvent } from './payment.ts'

/** Lists the changes that an event makes to a payment, to its gift, and to the premium that either has granted. */
export interface Settlement {
  payment: Pick<Payment, 'status'> & Partial<Payment>
  gift?: Pick<Gift, 'status'> & Partial<Gift>
  /** Premium is `granted` for the first time, `taken` out of the ledger, or `returned` as far as it was taken. */
  premium?: 'granted' | 'taken' | 'returned'
  /** Premium was taken for this reason. */
  reason?: EndReason
}

/**
 * Implements the rules of docs/billing.md; returns null when nothing changes. Events may come in any order and more than
 * once.
 */
export function settle(
  payment: Payment,
  gift: Gift | null,
  change: PaymentEvent['change'],
  now: Date,
): Settlement | null {
  const { status } = payment
  switch (change) {
    case 'paid':
      return status === 'created' || status === 'failed' ? pay(payment, now) : null
    case 'failed':
      return status === 'created' ? { payment: { status: 'failed' } } : null
    case 'withdrawn':
      return status === 'disputed' || status === 'refunded' ? null : dispute(gift, now)
    case 'dispute-won':
      return status === 'disputed' ? win(payment, gift, now) : null
    case 'refunded':
    case 'dispute-lost':
      return status === 'refunded' ? null : refund(gift, change === 'refunded' ? 'refunded' : 'disputed')
  }
}

const pay = ({ kind }: Payment, now: Date): Settlement => ({
  payment: { status: 'paid', paidAt: now },
  ...(kind === 'upgrade' ? { premium: 'granted' } : { gift: paidGift(now) }),
})

function dispute(gift: Gift | null, now: Date): Settlement {
  const disputed = gift ? disputedGift(gift, now) : undefined
  return {
    payment: { status: 'disputed' },
    ...(disputed ? { gift: disputed } : {}),
    premium: 'taken',
    reason: 'disputed',
  }
}

const refund = (gift: Gift | null, reason: EndReason): Settlement => ({
  payment: { status: 'refunded' },
  ...(gift ? { gift: { status: 'refunded' } } : {}),
  premium: 'taken',
  reason,
})

function win({ paidAt, ended }: Payment, gift: Gift | null, now: Date): Settlement {
  const resumed = gift ? resumedGift(gift, ended?.at ?? now, now) : undefined
  return {
    payment: { status: 'paid', paidAt: paidAt ?? now },
    ...(resumed ? { gift: resumed } : {}),
    premium: 'returned',
  }
}
