import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { publishLimitsChangedTo } from './publish-limits-changed.ts'

/** Higher than that of any event: an old one that is delivered late brings nothing back. */
const lastVersion = Number.MAX_SAFE_INTEGER

/**
 * Erases the name, the code, the messages and the id of a purged person; the partners keep their own messages. Each
 * conversation gets a random id in place of the person's, which is known as 'Unknown User' and as gone. Safe to repeat,
 * also after a crash in the middle.
 */
export async function erasePerson(ctx: Context, userId: string): Promise<void> {
  await ctx.entitlementStore.setGone(userId, lastVersion, true)
  ctx.entitlements.drop(userId)
  await ctx.reports.erase(userId)
  await ctx.slots.removeOfPerson(userId)
  const now = ctx.clock.now()
  await ctx.media.removeOfOwner(userId, now, now)
  const partnerIds = await ctx.conversations.partnersOf(userId)
  for (const conversationId of await ctx.conversations.idsOfMember(userId)) {
    const standIn = randomUUID()
    await ctx.people.save({ userId: standIn, username: 'Unknown User', userCode: '', version: lastVersion })
    await ctx.entitlementStore.setGone(standIn, lastVersion, true)
    await ctx.messages.eraseSender(conversationId, userId)
    await ctx.messages.replaceMember(conversationId, userId, standIn)
    // Last: until then a repeated call finds the conversation again.
    const lastSeq = await ctx.messages.lastSeq(conversationId)
    await ctx.conversations.replaceMember(conversationId, userId, standIn, lastSeq)
  }
  await ctx.people.remove(userId)
  await publishLimitsChangedTo(ctx, partnerIds)
}

/**
 * Removes the last row, which refuses sends of the partners. By then no process remembers the members from before
 * (`rememberedMs` of the member cache). False while the sweep has not removed all media: auth asks again a day later.
 */
export async function finishErasing(ctx: Context, userId: string): Promise<boolean> {
  if (await ctx.media.hasOfOwner(userId)) return false
  await ctx.mediaUsage.remove(userId)
  await ctx.entitlementStore.remove(userId)
  return true
}
