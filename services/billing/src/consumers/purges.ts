import { on } from '@sumlock/bus/handler'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'
import type { Purge } from '../use-cases/forget-person.ts'

/** Notes a job that keeps the payments of a purged person without the person. */
export const purgeHandlers = (ctx: Context) => [
  on(userPurgeRequested, ({ id, data: { userId } }) =>
    ctx.jobs.request('purge', userId, { eventId: id } satisfies Purge),
  ),
]
