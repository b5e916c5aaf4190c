import { on } from '@sumlock/bus/handler'
import { subscriptionActivated, subscriptionEnded } from '@sumlock/contracts/billing-events'
import type { Context } from '../context.ts'
import { confirmEntitlement } from '../use-cases/confirm-entitlement.ts'

/** Wakes a question to billing about the person of the event. */
export const subscriptionHandlers = (ctx: Context) => [
  on(subscriptionActivated, ({ type, data }) => confirmEntitlement(ctx, type, data)),
  on(subscriptionEnded, ({ type, data }) => confirmEntitlement(ctx, type, data)),
]
