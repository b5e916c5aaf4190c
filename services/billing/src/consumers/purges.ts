import { on } from '@sumlock/bus/handler'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import type { Context } from '../context.ts'

/** Keeps the payments of a purged person without the person, and acknowledges it, in one transaction. */
export const purgeHandlers = (ctx: Context) => [
  on(userPurgeRequested, async ({ id, data: { userId } }) => {
    await ctx.connection.transaction(async (session) => {
      if (!(await ctx.inbox.recordOnce(session, 'purge', id))) return
      await ctx.ledger.forgetPerson(userId, session)
      await ctx.outbox.add(session, purgeAcknowledged, { userId, owner: 'billing' })
    })
    ctx.outbox.kick()
  }),
]
