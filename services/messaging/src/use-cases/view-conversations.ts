import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { cursorOf, isListedFor, lastMessageOf, otherOf } from '../domain/conversation.ts'
import type { ConversationRecord } from '../domain/conversation.ts'
import { isPremiumAt } from '../domain/entitlement.ts'
import { conversationNotFound } from '../domain/errors.ts'
import { isReadFor } from '../domain/message.ts'
import type { NewestMessage } from '../stores/newest-messages.ts'
import { spentSlots } from './spent-slots.ts'

/** Counting unread messages stops here. */
const countedTo = 100

/** Conversations as one member sees them, with every acknowledged message: all, or those that the list shows. */
export async function viewConversations(
  ctx: Context,
  userId: string,
  found: readonly ConversationRecord[],
  which: 'all' | 'listed' = 'all',
): Promise<Conversation[]> {
  if (found.length === 0) return []
  const newest = await ctx.messages.newestFor(
    userId,
    found.map((record) => ({ conversationId: record._id, readUpTo: readUpToOf(record, userId) })),
  )
  const lastSeqOf = ({ _id }: ConversationRecord) => newest.get(_id)?.newest.seq ?? 0
  const records =
    which === 'all' ? found : found.filter((record) => isListedFor(record, userId, lastSeqOf(record)))
  const now = ctx.clock.now()
  const otherIds = records.map((record) => otherOf(record.memberIds, userId))
  const [people, standings, spent] = await Promise.all([
    ctx.findPeople(otherIds),
    ctx.entitlementStore.standingsOf([userId, ...otherIds]),
    spentSlots(ctx, [userId]),
  ])
  const isPremium = (id: string) => isPremiumAt(standings.get(id), now)
  const blocked = new Set(standings.get(userId)?.blocked)
  const messagesRemaining = limits.freeMessagesPerDay - spent.size

  return Promise.all(
    records.map(async (record) => {
      const otherId = otherOf(record.memberIds, userId)
      const person = people.get(otherId)
      const isGone = standings.get(otherId)?.isGone === true
      const unlimited = isPremium(userId) || isPremium(otherId)
      const last = newest.get(record._id)?.newest
      const own = record.members[userId]
      const isRequest = own?.isRequest === true
      const shown = last && last.seq > (own?.clearedBeforeSeq ?? 0) ? last : undefined
      return {
        id: record._id,
        otherUser: {
          id: otherId,
          ...(person?.keys?.length ? { keys: person.keys.slice(-1) } : {}),
          username: person?.username ?? 'Unknown User',
          userCode: person?.userCode ?? '',
          ...(isGone ? { isGone } : {}),
        },
        activeAt: cursorOf(record).activeAt.toISOString(),
        lastMessageAt: shown?.createdAt.toISOString() ?? null,
        lastMessage:
          isRequest || !shown ? null : { ...lastMessageOf(shown), isRead: isReadFor(shown, userId, record) },
        lastSeq: last?.seq ?? 0,
        unreadCount: isRequest ? 0 : await countUnread(ctx, record, userId, newest.get(record._id)),
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

/** One conversation of a caller who is known to be a member. */
export async function viewConversation(ctx: Context, userId: string, id: string): Promise<Conversation> {
  const [view] = await viewConversations(ctx, userId, await ctx.conversations.byIds([id]))
  return view as Conversation
}

/** A conversation that the list of a member contains. To all others, it does not seem to exist. */
export async function getConversation(ctx: Context, userId: string, id: string): Promise<Conversation> {
  const records = (await ctx.conversations.byIds([id])).filter(({ memberIds }) => memberIds.includes(userId))
  const [view] = await viewConversations(ctx, userId, records, 'listed')
  if (!view) throw conversationNotFound()
  return view
}

function readUpToOf({ members }: ConversationRecord, userId: string): number {
  const own = members[userId]
  return Math.max(own?.lastReadSeq ?? 0, own?.clearedBeforeSeq ?? 0)
}

/** The difference of two counts. Messages of the last release have none, so that they are counted here. */
async function countUnread(
  { messages }: Context,
  record: ConversationRecord,
  userId: string,
  found: NewestMessage | undefined,
): Promise<number> {
  const readUpTo = readUpToOf(record, userId)
  if (!found || found.newest.seq <= readUpTo) return 0
  const other = record.memberIds[0] === userId ? 1 : 0
  const last = found.newest.counts ?? (await messages.positionAt(record._id)).counts
  const read = found.read?.counts ?? (await messages.positionAt(record._id, readUpTo)).counts
  return Math.min(last[other] - read[other], countedTo)
}
