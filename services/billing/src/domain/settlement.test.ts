import { canRedeem, expectAfter, happenings, newPurchase, premiumOf } from '../../test/expected-purchase.ts'
import type { ExpectedPurchase, Happening } from '../../test/expected-purchase.ts'
import { expiring, isRedeemable } from './gift.ts'
import type { Gift } from './gift.ts'
import { expiryOf, nextSegment, yearMs } from './ledger.ts'
import type { Grant } from './ledger.ts'
import type { Payment } from './payment.ts'
import { settle } from './settlement.ts'

/** The year of a code or of premium is over after four of these. */
const stepMs = 100 * 86_400_000
const longest = 6

interface Stored {
  payment: Payment
  gift: Gift | null
  grant: Grant | null
}

function bought(kind: 'upgrade' | 'gift', now: Date): Stored {
  const row = { status: 'created', createdAt: now, paidAt: null } as const
  const payment: Payment = {
    ...row,
    _id: 'payment',
    userId: 'buyer',
    kind,
    giftId: kind === 'gift' ? 'gift' : null,
    provider: 'stripe',
    cents: 1,
    currency: 'usd',
    checkedAt: now,
  }
  const gift: Gift = {
    ...row,
    _id: 'gift',
    buyerId: 'buyer',
    codeKeyId: 'key',
    codeHash: 'hash',
    expiresAt: null,
    isRedeemed: false,
    redeemedBy: null,
    redeemedAt: null,
  }
  return { payment, gift: kind === 'gift' ? gift : null, grant: null }
}

const granted = (now: Date, lengthMs: number): Grant => ({
  _id: 'grant',
  userId: 'person',
  source: 'direct',
  createdAt: now,
  removedAt: null,
  ...nextSegment([], now, lengthMs),
})
const leftMs = ({ grant }: Stored, now: Date) =>
  Math.max(0, (grant ? (expiryOf([grant])?.getTime() ?? 0) : 0) - now.getTime())

function happen(stored: Stored, happening: Happening, now: Date): Stored {
  const { payment, gift, grant } = stored
  if (happening === 'redeem')
    return gift && isRedeemable(gift, now)
      ? { payment, gift: { ...gift, status: 'redeemed' }, grant: granted(now, yearMs) }
      : stored
  if (happening === 'sweep')
    return gift?.expiresAt && expiring.includes(gift.status) && gift.expiresAt <= now
      ? { payment, gift: { ...gift, status: 'expired' }, grant }
      : stored
  const change = happening === 'won' || happening === 'lost' ? (`dispute-${happening}` as const) : happening
  const next = settle(payment, gift, change, now)
  if (!next) return stored
  const after: Stored = {
    payment: { ...payment, ...next.payment },
    gift: gift && { ...gift, ...next.gift },
    grant,
  }
  if (next.premium === 'granted') after.grant = granted(now, yearMs)
  if (next.premium === 'taken') {
    const takenMs = payment.kind === 'upgrade' && payment.paidAt === null ? yearMs : leftMs(stored, now)
    after.payment.ended ??= { at: now, reason: next.reason ?? 'refunded', takenMs }
    after.grant = grant && { ...grant, removedAt: now }
  }
  if (next.premium === 'returned') {
    if (payment.ended && payment.ended.takenMs > 0) after.grant = granted(now, payment.ended.takenMs)
    delete after.payment.ended
  }
  return after
}

/** Tries every order of up to `longest` events and stops at the first wrong end. */
function firstBroken(stored: Stored, expected: ExpectedPurchase, order: readonly Happening[]): string | null {
  if (order.length === longest) return null
  const now = new Date((order.length + 1) * stepMs)
  for (const happening of happenings) {
    const reached = [...order, happening]
    const after = happen(stored, happening, now)
    const promised = expectAfter(expected, happening, stepMs)
    const difference = differenceOf(after, promised, now)
    if (difference) return `${reached.join(', ')}: ${difference}`
    const broken = firstBroken(after, promised, reached)
    if (broken) return broken
  }
  return null
}

function differenceOf(stored: Stored, promised: ExpectedPurchase, now: Date): string | null {
  const { payment, gift } = stored
  if (payment.status !== promised.status) return `${payment.status} instead of ${promised.status}`
  const [left, promisedLeft] = [leftMs(stored, now), premiumOf(promised)]
  if (left !== promisedLeft) return `premium of ${left} instead of ${promisedLeft} ms`
  const redeems = gift !== null && isRedeemable(gift, now)
  if (redeems !== canRedeem(promised)) return redeems ? 'the code works' : 'the code does not work'
  if (gift && expiring.includes(gift.status) && !gift.expiresAt) return 'the gift never expires'
  return null
}

it.each(['upgrade', 'gift'] as const)(
  '%s: its state is as promised after all that can happen, in every order and repeated',
  (kind) => {
    expect(firstBroken(bought(kind, new Date(0)), newPurchase(kind), [])).toBeNull()
  },
)
