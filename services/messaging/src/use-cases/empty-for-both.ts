import type { Job } from '@sumlock/service-kit/job-store'
import { rowsAtOnce } from '@sumlock/service-kit/write-in-batches'
import type { Context } from '../context.ts'
import { keyInUrl } from '../domain/media.ts'
import { otherKey } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'

const notedAtOnce = 100

export interface EmptyingProgress {
  /** The last message that was emptied has this seq. */
  after: number
}

/** Stores a job for each conversation of these rows in which both members have deleted messages that are not empty yet. */
export async function noteEmptying(ctx: Context, rows: readonly MemberRecord[]): Promise<void> {
  const others = new Map((await ctx.memberList.byKeys(rows.map(otherKey))).map((row) => [row._id, row]))
  const subjects = new Set(
    rows.flatMap((row) => {
      const { upTo, after } = rangeToEmpty(row, others.get(otherKey(row)))
      return upTo > after ? [subjectOf(row)] : []
    }),
  )
  for (const subject of subjects) await ctx.jobs.request('empty', subject)
  await ctx.memberClearing.settleEmptying(rows)
}

/** Returns the same key for both rows of a conversation, so that the conversation has one job. */
const subjectOf = (row: MemberRecord): string => [row._id, otherKey(row)].sort()[0] ?? row._id

/** Returns the range of messages that both members have deleted and that are not empty yet; `after` itself is excluded. */
const rangeToEmpty = (own: MemberRecord, other: MemberRecord | undefined) => ({
  upTo: Math.min(own.clearedSeq, other?.clearedSeq ?? 0),
  after: Math.max(own.emptiedSeq ?? 0, other?.emptiedSeq ?? 0),
})

/** Stores jobs for the conversations that a reset has cleared, or whose deletion was not checked because of a crash. */
export async function noteDueEmptying(ctx: Context, stopping?: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && !stopping?.aborted;) {
    const due = await ctx.memberClearing.dueToEmpty(notedAtOnce)
    await noteEmptying(ctx, due)
    hasMore = due.length === notedAtOnce
  }
}

/** Empties the next messages that both members have deleted, and removes their media. */
export async function emptyPart(
  ctx: Context,
  { subject, progress }: Pick<Job<object, EmptyingProgress>, 'subject' | 'progress'>,
): Promise<EmptyingProgress | undefined> {
  const [own] = await ctx.memberList.byKeys([subject])
  // The row is missing when its person was erased. The row of the id that replaces the person is marked for emptying
  // instead.
  if (!own) return undefined
  const [other] = await ctx.memberList.byKeys([otherKey(own)])
  const { conversationId } = own
  const { upTo, after: emptied } = rangeToEmpty(own, other)
  // A job that was requested again has no progress, although some messages may be empty already.
  const after = Math.max(progress?.after ?? 0, emptied)
  const messages = await ctx.messages.next({ conversationId, after, upTo, atMost: rowsAtOnce })
  const [first, last] = [messages.at(0), messages.at(-1)]
  if (first && last) {
    const keys = messages.flatMap(({ mediaUrl }) => (mediaUrl ? (keyInUrl(mediaUrl) ?? []) : []))
    if (keys.length > 0) await ctx.media.removeByKeys(keys, ctx.clock.now())
    const counted = messages.filter(({ isOnce, isVanished }) => isOnce ?? isVanished)
    if (counted.length > 0) await ctx.media.stopCounting(counted, ctx.clock.now())
    await ctx.messages.empty(conversationId, first.seq, last.seq)
    await ctx.memberClearing.markEmptied(own, last.seq)
    if (messages.length === rowsAtOnce) return { after: last.seq }
  }
  await ctx.memberClearing.markEmptied(own, upTo)
  return undefined
}
