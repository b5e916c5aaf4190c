import { limitsChanged, limitsChangedMaxPeople } from '@sumlock/contracts/messaging-events'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'

/** Publishes to a person and their conversation partners that their limits have changed. */
export async function publishLimitsChanged(ctx: Context, userId: string): Promise<void> {
  await publishLimitsChangedTo(ctx, [userId, ...(await ctx.memberList.partnersOf(userId))])
}

export async function publishLimitsChangedTo(ctx: Context, userIds: readonly string[]): Promise<void> {
  await transact(ctx.connection, async (session) => {
    for (let from = 0; from < userIds.length; from += limitsChangedMaxPeople) {
      const chunk = userIds.slice(from, from + limitsChangedMaxPeople)
      await ctx.outbox.add(session, limitsChanged, { userIds: chunk })
    }
  })
  ctx.outbox.kick()
}
