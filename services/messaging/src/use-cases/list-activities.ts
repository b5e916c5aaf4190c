import type { Activity } from '@sumlock/contracts/admin-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { otherOf } from '../domain/conversation.ts'
import { spentSlots } from './spent-slots.ts'

/**
 * The newest conversations of many people and what they sent today, in the order asked for, by four reads. Whom the conversations name
 * is noted before it is answered; auth has noted the others.
 */
export async function listActivities(
  ctx: Context,
  { adminId, userIds }: { adminId: string; userIds: readonly string[] },
): Promise<Activity[]> {
  const [found, spent] = await Promise.all([
    ctx.conversations.newestOfAll(userIds, limits.listedConversations),
    spentSlots(ctx, userIds),
  ])
  const others = [...found].flatMap(([userId, rows]) =>
    rows.map(({ memberIds }) => otherOf(memberIds, userId)),
  )
  const personIds = [...new Set(others)]
  const action = 'conversations-listed'
  if (personIds.length > 0) await ctx.adminActions.add({ adminId, action, personIds }, ctx.clock.now())
  const people = await ctx.people.byIds(personIds)
  return userIds.map((userId) => ({
    dailyMessageCount: spent.has(userId) ? 1 : 0,
    conversations: (found.get(userId) ?? []).map(({ _id, memberIds }) => ({
      id: _id,
      otherUsername: people.get(otherOf(memberIds, userId))?.username ?? 'Unknown User',
    })),
  }))
}
