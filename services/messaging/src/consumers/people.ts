import { on } from '@sumlock/bus/handler'
import { userPurgeRequested, userRegistered, userUpdated } from '@sumlock/contracts/auth-events'
import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import type { Person } from '@sumlock/contracts/internal-routes'
import type { Context } from '../context.ts'
import { erasePerson, finishErasing } from '../use-cases/erase-person.ts'
import { publishLimitsChanged } from '../use-cases/publish-limits-changed.ts'

/** Updates the projection of people; the highest version wins, so repeated and reordered events are harmless. */
export const peopleHandlers = (ctx: Context) => {
  const save = async ({ data }: { data: Person }) => {
    await ctx.people.save(data)
    const { userId, version, isLeaving } = data
    if (isLeaving === undefined || !(await ctx.entitlementStore.setGone(userId, version, isLeaving))) return
    ctx.entitlements.drop(userId)
    await publishLimitsChanged(ctx, userId)
  }
  return [
    on(userRegistered, save),
    on(userUpdated, save),
    on(userPurgeRequested, async ({ id, data: { userId, isRepeated } }) => {
      await erasePerson(ctx, userId)
      if (!isRepeated) return
      await finishErasing(ctx, userId)
      await ctx.connection.transaction(async (session) => {
        if (await ctx.inbox.recordOnce(session, 'purge', id))
          await ctx.outbox.add(session, purgeAcknowledged, { userId, owner: 'messaging' })
      })
      ctx.outbox.kick()
    }),
  ]
}
