import {
  clearConversations as clearContract,
  getActivities,
  getQuota as quotaContract,
  isMember as isMemberContract,
} from '@sumlock/contracts/internal-routes'
import { createRouteBinder } from '@sumlock/service-kit/bind-route'
import { createInternalHttpApp } from '@sumlock/service-kit/health'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { guardInternalRoute } from '@sumlock/service-kit/internal-auth'
import type { Context } from './context.ts'
import { bindActRoutes } from './routes/act-routes.ts'
import { bindConversationStateRoutes } from './routes/conversation-state-routes.ts'
import { bindMediaRoutes } from './routes/media-routes.ts'
import { bindMessagingRoutes } from './routes/messaging-routes.ts'
import { bindS3Routes } from './routes/s3-routes.ts'
import { clearConversations } from './use-cases/clear-conversations.ts'
import { getQuota } from './use-cases/get-quota.ts'
import { listActivities } from './use-cases/list-activities.ts'

/** Serves the routes that browsers reach through the gateway. */
export function createPublicApp(ctx: Context) {
  const app = createHttpApp(ctx)
  const bind = createRouteBinder(app, ctx)
  bindMessagingRoutes(bind, ctx)
  bindActRoutes(bind, ctx)
  bindConversationStateRoutes(bind, ctx)
  bindMediaRoutes(bind, ctx)
  bindS3Routes(bind, ctx)
  return finishApp(app, ctx)
}

/** Serves the routes that other services call. */
export function createInternalApp(ctx: Context) {
  const app = createInternalHttpApp(ctx)
  for (const contract of [quotaContract, isMemberContract, getActivities, clearContract])
    guardInternalRoute(app, contract, ctx.config.INTERNAL_CALLERS)
  const bind = createRouteBinder(app, ctx)
  bind(quotaContract, ({ params }) => getQuota(ctx, params))
  bind(getActivities, ({ body }) => listActivities(ctx, body))
  bind(clearContract, async ({ params, body }) => {
    await clearConversations(ctx, { userId: params.userId, resetAt: new Date(body.resetAt) })
    return { ok: true as const }
  })
  bind(isMemberContract, async ({ params }) => ({
    isMember: (await ctx.members.of(params.userId, params.id)) !== null,
  }))
  return finishApp(app, ctx)
}
