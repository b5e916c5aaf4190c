import { limitsChanged, limitsChangedMaxPeople } from '@sumlock/contracts/messaging-events'
import type { Context } from '../context.ts'

/** Tells a person and everyone they have a conversation with that what they may send has changed. */
export async function announceLimits(ctx: Context, userId: string): Promise<void> {
  const userIds = [userId, ...(await ctx.conversations.partnersOf(userId))]
  await ctx.connection.transaction(async (session) => {
    for (let from = 0; from < userIds.length; from += limitsChangedMaxPeople) {
      const chunk = userIds.slice(from, from + limitsChangedMaxPeople)
      await ctx.outbox.add(session, limitsChanged, { userIds: chunk })
    }
  })
  ctx.outbox.kick()
}
