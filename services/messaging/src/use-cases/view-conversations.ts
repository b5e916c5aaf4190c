import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { isPremiumAt } from '../domain/entitlement.ts'
import { conversationNotFound } from '../domain/errors.ts'
import { readUpTo, versionShownTo } from '../domain/member.ts'
import type { MemberRecord, Timer } from '../domain/member.ts'
import { messageKey, toPreview } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { spentSlots } from './spent-slots.ts'

/** Returns conversations as the owner of these rows sees them. */
export async function viewConversations(
  ctx: Context,
  userId: string,
  rows: readonly MemberRecord[],
): Promise<Conversation[]> {
  if (rows.length === 0) return []
  const now = ctx.clock.now()
  const otherIds = rows.map(({ otherId }) => otherId)
  const changed = rows.filter(({ version }) => version !== undefined)
  const [shown, people, statuses, spent, versions] = await Promise.all([
    shownIn(ctx, rows),
    ctx.findPeople(otherIds),
    ctx.entitlementStore.statusesOf([userId, ...otherIds]),
    spentSlots(ctx, [userId]),
    // The changes are read with the majority's concern, so a list must not name one that they do not contain yet.
    ctx.memberVersions.byKeys(changed.map(({ _id }) => _id)),
  ])
  const isPremium = (id: string) => isPremiumAt(statuses.get(id), now)
  const messagesRemaining = limits.freeMessagesPerDay - spent.size

  return rows.map((row) => {
    const person = people.get(row.otherId)
    const isGone = statuses.get(row.otherId)?.isGone === true
    const unlimited = isPremium(userId) || isPremium(row.otherId)
    const { newest, unreadCount } = shown(row)
    const version = versionShownTo(versions.get(row._id) ?? {})
    return {
      id: row.conversationId,
      otherUser: {
        id: row.otherId,
        ...(person?.keys?.length ? { keys: person.keys.slice(-1) } : {}),
        username: person?.username ?? 'Unknown User',
        userCode: row.otherCode ?? person?.userCode ?? '',
        ...(isGone ? { isGone } : {}),
      },
      activeAt: row.activeAt.toISOString(),
      lastMessageAt: newest?.createdAt.toISOString() ?? null,
      lastMessage: row.isRequest || !newest ? null : toPreview(row, newest, now),
      lastSeq: row.newestSeq,
      unreadCount: row.isRequest ? 0 : unreadCount,
      readSeq: readUpTo(row),
      createdAt: row.createdAt.toISOString(),
      ...(version > 0 ? { version } : {}),
      ...(row.isMuted ? { isMuted: true } : {}),
      ...(row.nickname !== undefined ? { nickname: row.nickname } : {}),
      ...(row.isBlocked ? { isBlocked: true } : {}),
      ...(row.isRequest ? { isRequest: true } : {}),
      ...(row.timer ? { timer: toTimer(row, row.timer) } : {}),
      canSend: !isGone && (unlimited || messagesRemaining > 0),
      unlimited,
      messagesRemaining,
    }
  })
}

const toTimer = ({ personId, otherId }: MemberRecord, { isMine, at, ...timer }: Timer) => ({
  ...{ ...timer, by: isMine ? personId : otherId, at: at.toISOString() },
})

/** Returns one conversation of a caller whose membership was checked. */
export async function viewConversation(ctx: Context, userId: string, id: string): Promise<Conversation> {
  const row = await ctx.memberList.latestOf(userId, id)
  const [view] = await viewConversations(ctx, userId, row ? [row] : [])
  if (!view) throw conversationNotFound()
  return view
}

/**
 * Returns a conversation that the person's list contains. Throws 404 for any other conversation, as if it did not exist.
 */
export async function getConversation(ctx: Context, userId: string, id: string): Promise<Conversation> {
  const row = await ctx.memberList.latestOf(userId, id)
  const [view] = await viewConversations(ctx, userId, row?.isListed ? [row] : [])
  if (!view) throw conversationNotFound()
  return view
}

/** Reads the newest messages of rows and the counts at their read marks, all by primary key. */
async function shownIn({ messages }: Context, rows: readonly MemberRecord[]) {
  const newestKey = ({ conversationId, newestSeq }: MemberRecord) => messageKey(conversationId, newestSeq)
  const markKey = (row: MemberRecord) => messageKey(row.conversationId, readUpTo(row))
  const shown = rows.filter(({ newestSeq, clearedSeq }) => newestSeq > clearedSeq)
  const unread = rows.filter((row) => row.newestSeq > readUpTo(row))
  const [newest, counts] = await Promise.all([
    messages.byKeys(shown.map(newestKey)),
    messages.countsAt(unread.map(markKey)),
  ])
  return (row: MemberRecord) => {
    const message = newest.get(newestKey(row))
    const isUnread = message && row.newestSeq > readUpTo(row)
    return {
      newest: message,
      unreadCount: isUnread ? countUnread(row, message, counts.get(markKey(row))) : 0,
    }
  }
}

/**
 * Returns the difference between the counts at the newest message and those at the read mark. All counts are 0 before the
 * first message.
 */
function countUnread(
  { personId }: MemberRecord,
  { memberIds, counts }: MessageRecord,
  atMark: MessageRecord['counts'] = [0, 0],
): number {
  const other = memberIds[0] === personId ? 1 : 0
  return counts[other] - atMark[other]
}
