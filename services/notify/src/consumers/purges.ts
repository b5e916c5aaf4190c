import { erasing } from '@sumlock/bus/erasing'
import { on } from '@sumlock/bus/handler'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'

/** Removes the preferences of a purged person. Deliveries hold no user id. */
export const purgeHandlers = (ctx: Context) => [
  on(userPurgeRequested, erasing(ctx, 'notify', ctx.preferences.remove)),
]
