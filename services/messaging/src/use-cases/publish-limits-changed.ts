import { limitsChanged, limitsChangedMaxPeople } from '@sumlock/contracts/messaging-events'
import { transact } from '@sumlock/service-kit/transact'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'

/**
 * Adds the event that a person's limits have changed, for the person and all conversation partners. Call `outbox.kick`
 * after the commit.
 */
export async function addLimitsChanged(ctx: Context, session: ClientSession, userId: string): Promise<void> {
  await addLimitsChangedTo(ctx, session, [userId, ...(await ctx.memberList.partnersOf(userId))])
}

async function addLimitsChangedTo(ctx: Context, session: ClientSession, userIds: readonly string[]) {
  for (let from = 0; from < userIds.length; from += limitsChangedMaxPeople) {
    const chunk = userIds.slice(from, from + limitsChangedMaxPeople)
    await ctx.outbox.add(session, limitsChanged, { userIds: chunk })
  }
}

/** Publishes to these people that their limits have changed. */
export async function publishLimitsChangedTo(ctx: Context, userIds: readonly string[]): Promise<void> {
  await transact(ctx.connection, (session) => addLimitsChangedTo(ctx, session, userIds))
  ctx.outbox.kick()
}
