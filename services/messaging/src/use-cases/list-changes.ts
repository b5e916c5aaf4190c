import type { Changes } from '@sumlock/contracts/changes-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { changesFrom } from '../domain/changes-since.ts'
import { isChangedFor, otherOf, pairOf } from '../domain/conversation.ts'
import type { ConversationRecord } from '../domain/conversation.ts'
import { getQuota } from './get-quota.ts'
import { listConversations, sortedWith, sortedWithinMs } from './list-conversations.ts'
import { viewConversations } from './view-conversations.ts'

const atMost: number = limits.pageOfConversations
/** Of all people, whose conversations with the caller are then looked up. */
const peopleAtMost = 500

/** What a client that gets no events has missed. When nothing has changed, this is one round of parallel queries. */
export async function listChanges(
  ctx: Context,
  { userId, since }: { userId: string; since?: string | undefined },
): Promise<Changes> {
  const now = ctx.clock.now()
  const answer = { now: now.toISOString(), pollAfterMs: ctx.nextPollAfterMs() }
  const from = changesFrom(since, now)
  const changed = from && (await changedSince(ctx, userId, from))
  if (!changed)
    return { ...answer, isWhole: true, conversations: await listConversations(ctx, { userId }), removed: [] }
  const conversations = await viewConversations(ctx, userId, changed, 'listed')
  const listed = new Set(conversations.map(({ id }) => id))
  // A request without a message is not listed either, and its recipient does not learn of it.
  const removed = changed.filter(({ _id, members }) => !listed.has(_id) && members[userId]?.isDeleted)
  return { ...answer, isWhole: false, conversations, removed: removed.map(({ _id }) => _id) }
}

/** The conversations that have changed for a person, latest first; null when single ones do not say it. */
async function changedSince(ctx: Context, userId: string, from: Date): Promise<ConversationRecord[] | null> {
  const unpublishedFrom = new Date(ctx.clock.nowMs() - sortedWithinMs)
  const [candidates, latest, people, limited, { lastMessageDate }] = await Promise.all([
    ctx.conversations.changedSince(userId, from, atMost + 1),
    ctx.messages.unpublishedSince(userId, unpublishedFrom),
    ctx.people.changedSince(from, peopleAtMost),
    ctx.entitlementStore.changedSince(userId, from, peopleAtMost),
    getQuota(ctx, { userId }),
  ])
  if (candidates.length > atMost || people.length === peopleAtMost || limited.length === peopleAtMost)
    return null
  // Each row shows how many free messages are left, and which conversations are blocked.
  if (limited.includes(userId) || (lastMessageDate !== null && new Date(lastMessageDate) >= from)) return null

  const found = candidates.filter((record) => isChangedFor(record, userId, from))
  const known = new Set(found.map(({ _id }) => _id))
  const ids = [...latest.keys()].filter((id) => !known.has(id))
  const otherIds = new Set([...people, ...limited])
  const others = await findOthers(ctx, userId, ids, [...otherIds])
  // A single row would tell whose premium has changed.
  const isLimited = ({ memberIds }: ConversationRecord) => limited.includes(otherOf(memberIds, userId))
  if (others.some(isLimited)) return null
  const all = sortedWith(latest, [...found, ...others.filter(({ _id }) => !known.has(_id))])
  return all.length > atMost ? null : all
}

async function findOthers(ctx: Context, userId: string, ids: readonly string[], otherIds: readonly string[]) {
  if (ids.length + otherIds.length === 0) return []
  const pairs = otherIds.map((otherId) => pairOf(userId, otherId))
  return ctx.conversations.byIdsOrPairs(ids, pairs)
}
