import {
  getEntitlement as entitlementContract,
  getEntitlements as entitlementsContract,
} from '@sumlock/contracts/internal-routes'
import { createRouteBinder } from '@sumlock/service-kit/bind-route'
import { createInternalHttpApp } from '@sumlock/service-kit/health'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { guardInternalRoute } from '@sumlock/service-kit/internal-auth'
import type { Context } from './context.ts'
import { bindGrantRoutes } from './routes/grant-routes.ts'
import { getEntitlement } from './use-cases/get-entitlement.ts'
import { getEntitlements } from './use-cases/get-entitlements.ts'

/** The routes behind the gateway. */
export function createPublicApp(ctx: Context) {
  const app = createHttpApp(ctx)
  bindGrantRoutes(createRouteBinder(app, ctx), ctx)
  return finishApp(app, ctx)
}

/** The routes for other services. */
export function createInternalApp(ctx: Context) {
  const app = createInternalHttpApp(ctx)
  for (const contract of [entitlementContract, entitlementsContract])
    guardInternalRoute(app, contract, ctx.config.INTERNAL_CALLERS)
  const bind = createRouteBinder(app, ctx)
  bind(entitlementContract, ({ params }) => getEntitlement(ctx, params))
  bind(entitlementsContract, ({ body }) => getEntitlements(ctx, body.userIds))
  return finishApp(app, ctx)
}
