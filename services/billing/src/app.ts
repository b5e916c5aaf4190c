import {
  getEntitlement as entitlementContract,
  getEntitlements as entitlementsContract,
  listEntitlementChanges as changesContract,
} from '@sumlock/contracts/internal-routes'
import { createRouteBinder } from '@sumlock/service-kit/bind-route'
import { createInternalHttpApp } from '@sumlock/service-kit/health'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { guardInternalRoute } from '@sumlock/service-kit/internal-auth'
import type { Context } from './context.ts'
import { bindGrantRoutes } from './routes/grant-routes.ts'
import { bindStoreRoutes } from './routes/store-routes.ts'
import { bindSubscriptionRoutes } from './routes/subscription-routes.ts'
import { getEntitlement } from './use-cases/get-entitlement.ts'
import { getEntitlements } from './use-cases/get-entitlements.ts'
import { listEntitlementChanges } from './use-cases/list-entitlement-changes.ts'

/** Serves the routes that the gateway forwards. */
export function createPublicApp(ctx: Context) {
  const app = createHttpApp(ctx)
  const bind = createRouteBinder(app, ctx)
  bindGrantRoutes(bind, ctx)
  bindSubscriptionRoutes(bind, ctx)
  bindStoreRoutes(bind, ctx)
  return finishApp(app, ctx)
}

/** Serves the routes that other services call. */
export function createInternalApp(ctx: Context) {
  const app = createInternalHttpApp(ctx)
  for (const contract of [entitlementContract, entitlementsContract, changesContract])
    guardInternalRoute(app, contract, ctx.config.INTERNAL_CALLERS)
  const bind = createRouteBinder(app, ctx)
  bind(entitlementContract, ({ params }) => getEntitlement(ctx, params))
  bind(changesContract, ({ query }) => listEntitlementChanges(ctx, new Date(query.since)))
  bind(entitlementsContract, ({ body }) => getEntitlements(ctx, body.userIds))
  return finishApp(app, ctx)
}
