import type { Context } from '../context.ts'
import { publishLimitsChanged } from './publish-limits-changed.ts'

/** Higher than that of any event: an old one that is delivered late brings nothing back. */
const lastVersion = Number.MAX_SAFE_INTEGER

/** Erases the name, the code and the messages of a purged person; the partners keep their own. Safe to repeat. */
export async function erasePerson(ctx: Context, userId: string): Promise<void> {
  await ctx.entitlementStore.setGone(userId, lastVersion, true)
  ctx.entitlements.drop(userId)
  await ctx.people.save({ userId, username: 'Unknown User', userCode: '', version: lastVersion })
  await ctx.reports.erase(userId)
  for (const conversationId of await ctx.conversations.idsOfMember(userId)) {
    await ctx.messages.eraseSender(conversationId, userId)
    await ctx.conversations.eraseLastMessageOf(conversationId, userId)
  }
  await publishLimitsChanged(ctx, userId)
}
