import { on } from '@sumlock/bus/handler'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'

/** Notes a job that asks auth, and keeps the payments of a purged person without the person. */
export const purgeHandlers = (ctx: Context) => [
  on(userPurgeRequested, ({ data: { userId } }) => ctx.jobs.request('purge', userId)),
]
