import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import { utcDay } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { isListedFor, newestFor, otherOf } from '../domain/conversation.ts'
import type { ConversationRecord, Newest } from '../domain/conversation.ts'
import { isPremiumAt } from '../domain/entitlement.ts'
import { isReadFor, slotOf } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'

/**
 * All conversations of a person that are not deleted, the one with the latest message first; includes every acknowledged
 * message.
 */
export async function listConversations(
  ctx: Context,
  { userId }: { userId: string },
): Promise<Conversation[]> {
  const views = await viewConversations(ctx, userId, await ctx.conversations.idsOfMember(userId), 'listed')
  const latest = (view: Conversation) => view.lastMessageAt ?? view.createdAt
  return views.sort((left, right) => latest(right).localeCompare(latest(left)))
}

/** Conversations as one member sees them: all, or those that the list shows. */
export async function viewConversations(
  ctx: Context,
  userId: string,
  ids: readonly string[],
  which: 'all' | 'listed' = 'all',
): Promise<Conversation[]> {
  if (ids.length === 0) return []
  // In this order, a message that is marked as published between the two reads is in the fold.
  const unpublished = await ctx.messages.newestUnpublished(ids, userId)
  const found = await ctx.conversations.byIds(ids)
  const records = which === 'all' ? found : found.filter(isListed(userId, unpublished))
  const now = ctx.clock.now()
  const otherIds = records.map((record) => otherOf(record.memberIds, userId))
  const [people, standings, spent] = await Promise.all([
    ctx.findPeople(otherIds),
    ctx.entitlementStore.standingsOf([userId, ...otherIds]),
    ctx.messages.bySlot(slotOf(userId, utcDay(now))),
  ])
  const isPremium = (id: string) => isPremiumAt(standings.get(id), now)
  const blocked = new Set(standings.get(userId)?.blocked)
  const messagesRemaining = limits.freeMessagesPerDay - (spent ? 1 : 0)

  return Promise.all(
    records.map(async (record) => {
      const otherId = otherOf(record.memberIds, userId)
      const person = people.get(otherId)
      const isGone = standings.get(otherId)?.isGone === true
      const unlimited = isPremium(userId) || isPremium(otherId)
      const newest = withUnpublished(newestFor(record, userId), unpublished.get(record._id))
      const own = record.members[userId]
      const isRequest = own?.isRequest === true
      const isCleared = newest.lastSeq <= (own?.clearedBeforeSeq ?? 0)
      const readUpTo = Math.max(own?.lastReadSeq ?? 0, own?.clearedBeforeSeq ?? 0)
      return {
        id: record._id,
        otherUser: {
          username: person?.username ?? 'Unknown User',
          userCode: person?.userCode ?? '',
          ...(isGone ? { isGone } : {}),
        },
        lastMessageAt: isCleared ? null : (newest.lastMessageAt?.toISOString() ?? null),
        lastMessage:
          isCleared || isRequest || !newest.lastMessage
            ? null
            : { ...newest.lastMessage, isRead: isReadFor(newest.lastMessage, userId, record) },
        lastSeq: newest.lastSeq,
        unreadCount:
          newest.lastSeq > readUpTo && !isRequest
            ? await ctx.messages.countFrom(record._id, otherId, readUpTo)
            : 0,
        createdAt: record.createdAt.toISOString(),
        ...(own?.isMuted ? { isMuted: true } : {}),
        ...(blocked.has(record._id) ? { isBlocked: true } : {}),
        ...(isRequest ? { isRequest } : {}),
        canSend: !isGone && (unlimited || messagesRemaining > 0),
        unlimited,
        messagesRemaining,
      }
    }),
  )
}

const isListed =
  (userId: string, unpublished: ReadonlyMap<string, MessageRecord>) => (record: ConversationRecord) => {
    const own = record.members[userId]
    const { lastSeq } = withUnpublished(newestFor(record, userId), unpublished.get(record._id))
    return !own || isListedFor(own, lastSeq)
  }

/** Adds the newest message when the fold does not contain it yet; such a message is still marked as unpublished. */
function withUnpublished(folded: Newest, newest: MessageRecord | undefined): Newest {
  if (!newest || newest.seq <= folded.lastSeq) return folded
  const { content, messageType, senderId, seq } = newest
  return {
    lastSeq: seq,
    lastMessage: { content, messageType, senderId, seq },
    lastMessageAt: newest.createdAt,
  }
}
