import {
  getNotificationPreferences,
  setNotificationPreferences,
} from '@sumlock/contracts/notification-routes'
import { createRouteBinder } from '@sumlock/service-kit/bind-route'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import type { Context } from './context.ts'

/** Serves the routes that the gateway forwards. */
export function createPublicApp(ctx: Context) {
  const app = createHttpApp(ctx)
  const bind = createRouteBinder(app, ctx)
  bind(getNotificationPreferences, ({ caller }) => ctx.preferences.of(caller.userId))
  bind(setNotificationPreferences, async ({ caller, body }) => {
    await ctx.preferences.replace(caller.userId, body)
    return body
  })
  return finishApp(app, ctx)
}
