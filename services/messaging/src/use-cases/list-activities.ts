import type { Activity } from '@sumlock/contracts/admin-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { spentSlots } from './spent-slots.ts'

/**
 * Returns the newest conversations of many people and their free messages of today, in the given order. The partners that
 * the administrator gets to see are recorded before the answer; auth has already recorded the people themselves.
 */
export async function listActivities(
  ctx: Context,
  { adminId, userIds }: { adminId: string; userIds: readonly string[] },
): Promise<Activity[]> {
  const [found, spent] = await Promise.all([
    ctx.memberList.newestOfAll(userIds, limits.listedConversations),
    spentSlots(ctx, userIds),
  ])
  const personIds = [...new Set([...found.values()].flat().map(({ otherId }) => otherId))]
  const action = 'conversations-listed'
  if (personIds.length > 0) await ctx.adminActions.add({ adminId, action, personIds }, ctx.clock.now())
  const people = await ctx.people.byIds(personIds)
  return userIds.map((userId) => ({
    dailyMessageCount: spent.has(userId) ? 1 : 0,
    conversations: (found.get(userId) ?? []).map(({ conversationId: id, otherId }) => ({
      id,
      otherUsername: people.get(otherId)?.username ?? 'Unknown User',
    })),
  }))
}
