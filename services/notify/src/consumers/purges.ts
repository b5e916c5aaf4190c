import { on } from '@sumlock/bus/handler'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import type { Context } from '../context.ts'

/** Removes the preferences of a purged person and acknowledges it, in one transaction. Deliveries name nobody. */
export const purgeHandlers = (ctx: Context) => [
  on(userPurgeRequested, async ({ id, data: { userId } }) => {
    await ctx.connection.transaction(async (session) => {
      if (!(await ctx.inbox.recordOnce(session, 'purge', id))) return
      await ctx.preferences.remove(userId, session)
      await ctx.outbox.add(session, purgeAcknowledged, { userId, owner: 'notify' })
    })
    ctx.outbox.kick()
  }),
]
