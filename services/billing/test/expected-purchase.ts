/** The events of a purchase: reports of the provider and, for a gift, its redemption. `sweep`: the job of billing runs. */
export const happenings = [
  'paid',
  'failed',
  'withdrawn',
  'won',
  'lost',
  'refunded',
  'redeem',
  'sweep',
] as const
export type Happening = (typeof happenings)[number]

export interface ExpectedPurchase {
  status: 'created' | 'failed' | 'paid' | 'disputed' | 'refunded'
  /** The paid time that is left to redeem the code; null for an upgrade. */
  codeLeftMs: number | null
  isRedeemed: boolean
  /** The paid premium that is left; null before it was granted. */
  premiumLeftMs: number | null
}

const yearMs = 365 * 86_400_000

export const newPurchase = (kind: 'upgrade' | 'gift'): ExpectedPurchase => ({
  status: 'created',
  codeLeftMs: kind === 'gift' ? yearMs : null,
  isRedeemed: false,
  premiumLeftMs: null,
})

/** Models docs/billing.md: time runs only while the purchase is paid, and no refund is ever undone. */
export function expectAfter(
  before: ExpectedPurchase,
  happening: Happening,
  elapsedMs: number,
): ExpectedPurchase {
  const { status, codeLeftMs, isRedeemed, premiumLeftMs } = spend(before, elapsedMs)
  const same = { status, codeLeftMs, isRedeemed, premiumLeftMs }
  const isGift = codeLeftMs !== null
  const arrived = { ...same, premiumLeftMs: premiumLeftMs ?? (isGift ? null : yearMs) }
  switch (happening) {
    case 'paid':
      return status === 'created' || status === 'failed' ? { ...arrived, status: 'paid' } : same
    case 'failed':
      return status === 'created' ? { ...same, status: 'failed' } : same
    case 'withdrawn':
      return status === 'refunded' ? same : { ...arrived, status: 'disputed' }
    case 'won':
      return status === 'disputed' ? { ...same, status: 'paid' } : same
    case 'lost':
    case 'refunded':
      return { ...same, status: 'refunded' }
    case 'redeem':
      return canRedeem(same) ? { ...same, isRedeemed: true, premiumLeftMs: yearMs } : same
    case 'sweep':
      return same
  }
}

export const canRedeem = ({ status, codeLeftMs, isRedeemed }: ExpectedPurchase) =>
  status === 'paid' && !isRedeemed && (codeLeftMs ?? 0) > 0

export const premiumOf = ({ status, premiumLeftMs }: ExpectedPurchase) =>
  status === 'paid' ? (premiumLeftMs ?? 0) : 0

function spend(purchase: ExpectedPurchase, elapsedMs: number): ExpectedPurchase {
  if (purchase.status !== 'paid') return purchase
  const less = (leftMs: number | null) => leftMs && Math.max(0, leftMs - elapsedMs)
  return {
    ...purchase,
    codeLeftMs: less(purchase.codeLeftMs),
    premiumLeftMs: less(purchase.premiumLeftMs),
  }
}
