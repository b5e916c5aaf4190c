import * as promo from '@sumlock/contracts/promo-code-routes'
import * as contract from '@sumlock/contracts/store-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { requireSteppedUp } from '@sumlock/service-kit/step-up'
import type { Context } from '../context.ts'
import { signatureInvalid } from '../domain/store-errors.ts'
import { getPlan } from '../use-cases/get-entitlement.ts'
import { handleNotification } from '../use-cases/handle-notification.ts'
import { listPromoRedemptions, logPromoRedemption, promoUrl } from '../use-cases/promo-codes.ts'
import { validateAndroid, validateIos } from '../use-cases/validate-purchase.ts'

const done = { ok: true } as const

export function bindStoreRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.validateAndroid, async ({ caller: { userId }, body }) => {
    await validateAndroid(ctx, { userId, ...body })
    return getPlan(ctx, userId)
  })
  bind(contract.validateIos, async ({ caller: { userId }, body }) => {
    await validateIos(ctx, { userId, ...body })
    return getPlan(ctx, userId)
  })
  bind(contract.getMobileSubscription, async ({ caller }) => {
    requireSteppedUp(caller, ctx.clock.nowMs())
    const row = await ctx.mobileSubscriptions.latestOf(caller.userId)
    if (!row) return { isActive: false, subscription: null }
    const { platform, productId, autoRenewing, expiryDate } = row
    const subscription = { platform, productId, autoRenewing, expiryDate: expiryDate.toISOString() }
    return { isActive: row.isActive && expiryDate > ctx.clock.now(), subscription }
  })
  bind(contract.appStoreWebhook, async ({ body }) => {
    if (!ctx.appStore) throw signatureInvalid('not configured')
    await handleNotification(ctx, 'ios', await ctx.appStore.readNotification(body))
    return done
  })
  bind(contract.googlePlayWebhook, async ({ body, meta: { signature } }) => {
    if (!ctx.googlePlay) throw signatureInvalid('not configured')
    await handleNotification(ctx, 'android', await ctx.googlePlay.readNotification(body, signature))
    return done
  })

  bind(promo.listPromoRedemptions, async ({ caller }) => {
    requireSteppedUp(caller, ctx.clock.nowMs())
    return { redemptions: await listPromoRedemptions(ctx, caller.userId) }
  })
  bind(promo.logPromoRedemption, ({ caller: { userId }, body }) =>
    logPromoRedemption(ctx, { userId, ...body }),
  )
  bind(promo.generatePromoUrl, ({ body }) => ({ url: promoUrl(body) }))
}
