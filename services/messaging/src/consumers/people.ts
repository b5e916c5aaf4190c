import { on } from '@sumlock/bus/handler'
import { userPurgeRequested, userRegistered, userUpdated } from '@sumlock/contracts/auth-events'
import type { Context } from '../context.ts'
import { applyPerson } from '../use-cases/apply-person.ts'

/** Updates the projection of people; a purge is noted as a job, which asks auth first. */
export const peopleHandlers = (ctx: Context) => [
  on(userRegistered, ({ data }) => applyPerson(ctx, data)),
  on(userUpdated, ({ data }) => applyPerson(ctx, data)),
  on(userPurgeRequested, ({ data: { userId } }) => ctx.jobs.request('purge', userId)),
]
