import type { Job } from '@sumlock/service-kit/job-store'
import { rowsAtOnce } from '@sumlock/service-kit/write-in-batches'
import type { Context } from '../context.ts'
import { clearedForBoth } from '../domain/conversation.ts'
import type { ConversationRecord } from '../domain/conversation.ts'
import { keyInUrl } from '../domain/media.ts'

const notedAtOnce = 100

const emptiedUpTo = ({ emptiedUpTo = 0 }: ConversationRecord): number => emptiedUpTo

export interface EmptyingProgress {
  /** The seq of the last message that was emptied. */
  after: number
}

/** Notes a job for each of these conversations of which both members have deleted messages that are not empty yet. */
export async function noteEmptying(
  ctx: Context,
  conversations: readonly ConversationRecord[],
): Promise<void> {
  for (const conversation of conversations)
    if (clearedForBoth(conversation) > emptiedUpTo(conversation))
      await ctx.jobs.request('empty', conversation._id)
  await ctx.conversations.settleEmptying(conversations)
}

/** The same for all conversations that a reset has cleared, or that a crash or the last release has left. */
export async function noteDueEmptying(ctx: Context, stopping?: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && !stopping?.aborted;) {
    const due = await ctx.conversations.dueToEmpty(notedAtOnce)
    await noteEmptying(ctx, due)
    hasMore = due.length === notedAtOnce
  }
}

/** Empties the next messages that both members have deleted, and removes their media. */
export async function emptyPart(
  ctx: Context,
  { subject: conversationId, progress }: Pick<Job<object, EmptyingProgress>, 'subject' | 'progress'>,
): Promise<EmptyingProgress | undefined> {
  const conversation = await ctx.conversations.byId(conversationId)
  if (!conversation) return undefined
  const upTo = clearedForBoth(conversation)
  // A job that was requested again begins without progress.
  const after = Math.max(progress?.after ?? 0, emptiedUpTo(conversation))
  const range = { conversationId, after, upTo, atMost: rowsAtOnce }
  const messages = await ctx.messages.next(range)
  const [first, last] = [messages.at(0), messages.at(-1)]
  if (first && last) {
    const keys = messages.flatMap(({ mediaUrl }) => (mediaUrl ? (keyInUrl(mediaUrl) ?? []) : []))
    if (keys.length > 0) await ctx.media.removeByKeys(keys, ctx.clock.now())
    await ctx.messages.empty(conversationId, first.seq, last.seq)
    await ctx.conversations.markEmptied(conversationId, last.seq)
    if (messages.length === rowsAtOnce) return { after: last.seq }
  }
  await ctx.conversations.forgetLast(conversation, upTo)
  await ctx.conversations.markEmptied(conversationId, upTo)
  return undefined
}
