import * as contract from '@sumlock/contracts/billing-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import type { Context } from '../context.ts'
import { dayMs } from '../domain/ledger.ts'
import { getPlan } from '../use-cases/get-entitlement.ts'
import { grantPremium } from '../use-cases/grant-premium.ts'

export function bindGrantRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.grantPremium, async ({ body }) => {
    const { days, userId, grantId } = body
    const grant = await grantPremium(ctx, { grantId, userId, lengthMs: days * dayMs, source: 'admin' })
    const segment = { startsAt: grant.startsAt.toISOString(), endsAt: grant.endsAt.toISOString() }
    return { userId, ...(await getPlan(ctx, userId)), ...segment }
  })
}
