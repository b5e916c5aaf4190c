import { on } from '@sumlock/bus/handler'
import { userPurgeRequested, userRegistered, userUpdated } from '@sumlock/contracts/auth-events'
import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import type { Context } from '../context.ts'
import { applyPerson } from '../use-cases/apply-person.ts'
import { erasePerson, finishErasing } from '../use-cases/erase-person.ts'

/** Updates the projection of people. */
export const peopleHandlers = (ctx: Context) => [
  on(userRegistered, ({ data }) => applyPerson(ctx, data)),
  on(userUpdated, ({ data }) => applyPerson(ctx, data)),
  on(userPurgeRequested, async ({ id, data: { userId, isRepeated } }) => {
    await erasePerson(ctx, userId)
    if (!isRepeated || !(await finishErasing(ctx, userId))) return
    await ctx.connection.transaction(async (session) => {
      if (await ctx.inbox.recordOnce(session, 'purge', id))
        await ctx.outbox.add(session, purgeAcknowledged, { userId, owner: 'messaging' })
    })
    ctx.outbox.kick()
  }),
]
