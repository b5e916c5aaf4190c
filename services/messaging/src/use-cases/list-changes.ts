import type { Changes } from '@sumlock/contracts/changes-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { changesFrom } from '../domain/changes-since.ts'
import { byLatest } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'
import { getQuota } from './get-quota.ts'
import { listConversations } from './list-conversations.ts'
import { viewConversations } from './view-conversations.ts'

const atMost: number = limits.pageOfConversations
/** When this many people have changed, the answer is the whole list. */
const peopleAtMost = 500

/** Returns the changes for a client that gets no events. Without changes this is one round of parallel queries. */
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
  const listed = changed.filter(({ isListed }) => isListed)
  // Only a deleted conversation is named as removed. A request without a message is not listed either, but its recipient
  // must not see that it exists.
  const removed = changed.filter(({ isListed, isDeleted }) => !isListed && isDeleted)
  return {
    ...answer,
    isWhole: false,
    conversations: await viewConversations(ctx, userId, listed),
    removed: removed.map(({ conversationId }) => conversationId),
  }
}

/** Returns the changed rows of a person, latest first; null when the client needs the whole list. */
async function changedSince(ctx: Context, userId: string, from: Date): Promise<MemberRecord[] | null> {
  const [found, people, limited, { lastMessageDate }] = await Promise.all([
    ctx.memberList.changedSince(userId, from, atMost + 1),
    ctx.people.changedSince(from, peopleAtMost),
    ctx.entitlementStore.changedSince(userId, from, peopleAtMost),
    getQuota(ctx, { userId }),
  ])
  if (found.length > atMost || people.length === peopleAtMost || limited.length === peopleAtMost) return null
  // Every conversation shows how many free messages the caller has left, so the whole list changes.
  if (limited.includes(userId) || (lastMessageDate !== null && new Date(lastMessageDate) >= from)) return null

  const otherIds = [...new Set([...people, ...limited])]
  const others = otherIds.length > 0 ? await ctx.memberList.latestWithOthers(userId, otherIds) : []
  // A list of only the changed conversation would reveal whose premium has changed.
  if (others.some(({ otherId }) => limited.includes(otherId))) return null
  const all = new Map([...found, ...others].map((row) => [row._id, row]))
  return all.size > atMost ? null : [...all.values()].sort(byLatest)
}
