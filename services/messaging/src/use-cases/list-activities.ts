import type { Activity } from '@sumlock/contracts/admin-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { otherOf } from '../domain/conversation.ts'
import { spentSlots } from './spent-slots.ts'

/** The newest conversations of many people and what they sent today, in the order asked for, by four reads. */
export async function listActivities(ctx: Context, userIds: readonly string[]): Promise<Activity[]> {
  const [found, spent] = await Promise.all([
    ctx.conversations.newestOfAll(userIds, limits.listedConversations),
    spentSlots(ctx, userIds),
  ])
  const otherIds = [...found].flatMap(([userId, rows]) =>
    rows.map(({ memberIds }) => otherOf(memberIds, userId)),
  )
  const people = await ctx.people.byIds([...new Set(otherIds)])
  return userIds.map((userId) => ({
    dailyMessageCount: spent.has(userId) ? 1 : 0,
    conversations: (found.get(userId) ?? []).map(({ _id, memberIds }) => ({
      id: _id,
      otherUsername: people.get(otherOf(memberIds, userId))?.username ?? 'Unknown User',
    })),
  }))
}
