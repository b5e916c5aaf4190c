import { on } from '@sumlock/bus/handler'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'

/** Stores a job that asks auth to confirm the purge and then replaces the person in payments and grants. */
export const purgeHandlers = (ctx: Context) => [
  on(userPurgeRequested, ({ data: { userId } }) => ctx.jobs.request('purge', userId)),
]
