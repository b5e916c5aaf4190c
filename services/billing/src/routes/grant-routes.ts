import * as actions from '@sumlock/contracts/admin-action-routes'
import * as contract from '@sumlock/contracts/billing-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { listAdminActions } from '@sumlock/service-kit/list-admin-actions'
import type { Context } from '../context.ts'
import { getPlan } from '../use-cases/get-entitlement.ts'
import { grantPremium } from '../use-cases/grant-premium.ts'
import { listGrantsByAdmins } from '../use-cases/list-grants-by-admins.ts'

export function bindGrantRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.grantPremium, async ({ body, caller }) => {
    const { userId } = body
    const grant = await grantPremium(ctx, { ...body, adminId: caller.userId })
    const segment = { startsAt: grant.startsAt.toISOString(), endsAt: grant.endsAt.toISOString() }
    return { userId, ...(await getPlan(ctx, userId)), ...segment }
  })

  bind(actions.listPremiumActions, ({ query, caller }) =>
    listAdminActions(ctx, { adminId: caller.userId, ...query }),
  )

  bind(actions.listGrantsByAdmins, ({ caller }) => listGrantsByAdmins(ctx, caller))
}
