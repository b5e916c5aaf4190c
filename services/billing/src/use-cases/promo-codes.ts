import { randomUUID } from 'node:crypto'
import type { Redemption } from '@sumlock/contracts/promo-code-routes'
import type { Context } from '../context.ts'
import type { StorePlatform } from '../domain/mobile-subscription.ts'
import type { PromoRedemption } from '../domain/promo-redemption.ts'

const listed = 20

/** Stores a promo code before the person redeems it at a store. While it is pending, the same code returns the same row. */
export async function logPromoRedemption(
  ctx: Context,
  input: { userId: string; platform: StorePlatform; promoCode: string },
): Promise<Redemption> {
  const known = await ctx.promoRedemptions.pendingWith(input)
  if (known) return toView(known)
  const now = ctx.clock.now()
  const redemption: PromoRedemption = {
    _id: randomUUID(),
    ...input,
    status: 'pending',
    errorMessage: null,
    subscriptionId: null,
    createdAt: now,
    updatedAt: now,
  }
  await ctx.promoRedemptions.insert(redemption)
  return toView(redemption)
}

export async function listPromoRedemptions(ctx: Context, userId: string): Promise<Redemption[]> {
  return (await ctx.promoRedemptions.newestOf(userId, listed)).map(toView)
}

const toView = (row: PromoRedemption): Redemption => ({
  id: row._id,
  platform: row.platform,
  promoCode: row.promoCode,
  status: row.status,
  errorMessage: row.errorMessage,
  createdAt: row.createdAt.toISOString(),
})

/** Returns the page of the store on which a promo code is redeemed. */
export function promoUrl(input: {
  platform: StorePlatform
  promoCode: string
  appId?: string | undefined
}): string {
  const code = encodeURIComponent(input.promoCode)
  return input.platform === 'ios'
    ? `https://apps.apple.com/redeem?ctx=offercodes&id=${encodeURIComponent(input.appId ?? '')}&code=${code}`
    : `https://play.google.com/redeem?code=${code}`
}
