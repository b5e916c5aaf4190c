import {
  acknowledgePurge as acknowledgeContract,
  exchangeSession as exchangeContract,
  findPerson as findContract,
  getPurge,
  getSessionChanges,
  getUsernames,
  listPersonChanges as changesContract,
} from '@sumlock/contracts/internal-routes'
import { createRouteBinder } from '@sumlock/service-kit/bind-route'
import { createInternalHttpApp } from '@sumlock/service-kit/health'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { guardInternalRoute } from '@sumlock/service-kit/internal-auth'
import type { Context } from './context.ts'
import { bindAdminRoutes } from './routes/admin-routes.ts'
import { bindAccountRoutes, bindPhoneRoutes } from './routes/account-routes.ts'
import { bindChangeRoutes } from './routes/change-routes.ts'
import { bindIdentityRoutes } from './routes/identity-routes.ts'
import { bindKnownKeyRoutes } from './routes/known-key-routes.ts'
import { bindLockRoutes } from './routes/lock-routes.ts'
import { bindMailLinkRoutes } from './routes/mail-link-routes.ts'
import { bindSessionRoutes } from './routes/session-routes.ts'
import { acknowledgePurge } from './use-cases/acknowledge-purge.ts'
import { confirmPurge } from './use-cases/confirm-purge.ts'
import { exchangeSession } from './use-cases/exchange-session.ts'
import { findPerson } from './use-cases/find-person.ts'
import { listPersonChanges } from './use-cases/list-person-changes.ts'
import { listSessionChanges } from './use-cases/list-session-changes.ts'

/** Serves the routes that the gateway forwards. */
export function createPublicApp(ctx: Context) {
  const app = createHttpApp(ctx)
  const bind = createRouteBinder(app, ctx)
  bindAccountRoutes(bind, ctx)
  bindPhoneRoutes(bind, ctx)
  bindLockRoutes(bind, ctx)
  bindIdentityRoutes(bind, ctx)
  bindKnownKeyRoutes(bind, ctx)
  bindSessionRoutes(bind, ctx)
  bindMailLinkRoutes(bind, ctx)
  bindChangeRoutes(bind, ctx)
  bindAdminRoutes(bind, ctx)
  return finishApp(app, ctx)
}

const internalRoutes = [
  exchangeContract,
  findContract,
  changesContract,
  getSessionChanges,
  getPurge,
  getUsernames,
  acknowledgeContract,
] as const

/** Serves the routes that other services call. */
export function createInternalApp(ctx: Context) {
  const app = createInternalHttpApp(ctx)
  for (const contract of internalRoutes) guardInternalRoute(app, contract, ctx.config.INTERNAL_CALLERS)
  const bind = createRouteBinder(app, ctx)
  bind(exchangeContract, ({ body, meta }) => {
    const wanted = meta.callingService === 'realtime' ? 'none' : 'each'
    return exchangeSession(ctx, { ...body, wanted })
  })
  bind(getSessionChanges, ({ query }) => listSessionChanges(ctx, query))
  bind(findContract, async ({ query }) => ({ person: await findPerson(ctx, query) }))
  bind(getPurge, ({ params }) => confirmPurge(ctx, params.userId))
  bind(acknowledgeContract, ({ params, meta }) =>
    acknowledgePurge(ctx, { userId: params.userId, service: meta.callingService }),
  )
  bind(getUsernames, async ({ body }) => {
    const usernames = await ctx.usernamesOf(body.userIds)
    return [...usernames].map(([userId, username]) => ({ userId, username }))
  })
  bind(changesContract, ({ query }) => listPersonChanges(ctx, new Date(query.since)))
  return finishApp(app, ctx)
}
