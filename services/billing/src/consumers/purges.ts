import { on } from '@sumlock/bus/handler'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'

/** Stores a job that has auth confirm the purge and then keeps the payments without the person. */
export const purgeHandlers = (ctx: Context) => [
  on(userPurgeRequested, ({ data: { userId } }) => ctx.jobs.request('purge', userId)),
]
