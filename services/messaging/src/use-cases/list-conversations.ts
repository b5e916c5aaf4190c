import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { byLatest, cursorOf, pairOf, toCursor } from '../domain/conversation.ts'
import type { ConversationRecord, ListCursor } from '../domain/conversation.ts'
import { viewConversations } from './view-conversations.ts'

export interface ListInput {
  userId: string
  before?: string | undefined
  search?: string | undefined
}

/** The sort key of a conversation is at most this old, or its messages are still unpublished. */
export const sortedWithinMs = 5000
const readAtOnce = 200

/** A page of the conversations of a person that are not deleted, the latest first; includes every acknowledged message. */
export async function listConversations(
  ctx: Context,
  { userId, before, search }: ListInput,
): Promise<Conversation[]> {
  const size: number = limits.pageOfConversations
  const pairs = search === undefined ? undefined : await pairsMatching(ctx, userId, search)
  const views: Conversation[] = []
  let cursor: ListCursor | undefined = before === undefined ? undefined : toCursor(before)
  // Conversations that the list does not show take no place on a page.
  for (let limit = size; ; limit = readAtOnce) {
    const found = await ctx.conversations.page(userId, { before: cursor, pairs }, limit)
    const records = cursor || pairs ? found : await movedUp(ctx, userId, found)
    views.push(...(await viewConversations(ctx, userId, records, 'listed')))
    const last = found.at(-1)
    if (views.length >= size || found.length < limit || !last) return views.slice(0, size)
    cursor = cursorOf(last)
  }
}

export async function* allConversations(ctx: Context, userId: string): AsyncGenerator<Conversation> {
  for (let before: string | undefined; ;) {
    const page = await listConversations(ctx, { userId, before })
    yield* page
    const last = page.at(-1)
    if (!last || page.length < limits.pageOfConversations) return
    before = `${Date.parse(last.activeAt)}_${last.id}`
  }
}

async function pairsMatching(ctx: Context, userId: string, text: string): Promise<string[]> {
  const ids = await ctx.people.idsMatching(await ctx.conversations.partnersOf(userId), text)
  return ids.map((id) => pairOf(userId, id))
}

/** The first page with the conversations whose newest message has not moved them up yet. */
async function movedUp(
  ctx: Context,
  userId: string,
  found: readonly ConversationRecord[],
): Promise<ConversationRecord[]> {
  const since = new Date(ctx.clock.nowMs() - sortedWithinMs)
  const latest = await ctx.messages.unpublishedSince(userId, since)
  if (latest.size === 0) return [...found]
  const others = await ctx.conversations.byIds(
    [...latest.keys()].filter((id) => !found.some(({ _id }) => _id === id)),
  )
  return sortedWith(latest, [...found, ...others])
}

/** Records with the times of their newest messages, latest first. */
export function sortedWith(
  latest: ReadonlyMap<string, Date>,
  records: readonly ConversationRecord[],
): ConversationRecord[] {
  return records
    .map((record) => {
      const { activeAt } = cursorOf(record)
      const storedAt = latest.get(record._id) ?? activeAt
      return { ...record, lastMessageAt: storedAt > activeAt ? storedAt : activeAt }
    })
    .sort(byLatest)
}
