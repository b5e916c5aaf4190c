import { randomUUID } from 'node:crypto'
import type { Job } from '@sumlock/service-kit/job-store'
import { rowsAtOnce } from '@sumlock/service-kit/write-in-batches'
import type { Context } from '../context.ts'
import { publishLimitsChangedTo } from './publish-limits-changed.ts'

export interface PurgeProgress {
  /** Auth has repeated its request a day or more after the first one. */
  isRepeated?: boolean
  /**
   * The random ids of these conversations are stored before the first write to them, so that a part that runs twice uses
   * the same ids.
   */
  open: { conversationId: string; standIn: string }[]
  /** In the first conversation of `open`, the messages up to this seq are erased. */
  after: number
}

/** No change from auth has a version this high, so a late answer cannot bring the person back. */
const lastVersion = Number.MAX_SAFE_INTEGER
const openAtOnce = 100

/** Returns null when auth does not confirm the deletion. Otherwise sends to the person are refused from now on. */
export async function beginErasing(
  ctx: Context,
  { subject: userId }: Pick<Job, 'subject'>,
): Promise<PurgeProgress | null> {
  const purge = await ctx.purges.confirm(userId)
  if (!purge) return null
  await ctx.entitlementStore.savePerson({ userId, version: lastVersion, isLeaving: true })
  ctx.entitlements.drop(userId)
  return { isRepeated: purge.isRepeated, open: [], after: 0 }
}

/**
 * Erases the next part of a person's reports, media and messages; the partners keep their own messages. In each
 * conversation a random id replaces the person's id and is shown as 'Unknown User' who is gone. The last part removes name
 * and code.
 */
export async function erasePart(
  ctx: Context,
  {
    subject: userId,
    progress = { open: [], after: 0 },
  }: Pick<Job<object, PurgeProgress>, 'subject' | 'progress'>,
): Promise<PurgeProgress | undefined> {
  if (progress.open.length > 0) return eraseConversations(ctx, userId, progress)
  const now = ctx.clock.now()
  // The records of administrators' actions stay, with a random id in place of the person's.
  if (
    (await ctx.adminActions.replaceNext(userId, randomUUID())) ||
    (await ctx.reports.erase(userId)) ||
    (await ctx.media.removeOfOwner(userId, now, now))
  )
    return { ...progress, open: [], after: 0 }
  const ids = await ctx.memberErasure.conversationsOf(userId, openAtOnce)
  const open = ids.map((conversationId) => ({ conversationId, standIn: randomUUID() }))
  if (open.length > 0) return { ...progress, open, after: 0 }
  await ctx.slots.removeOfPerson(userId)
  await ctx.actCounts.removeOfPerson(userId)
  await ctx.people.remove(userId)
  // Only a later request of auth finishes the erasure, because at the first one a process may still remember the rows of
  // the members.
  if (progress.isRepeated && (await finishErasing(ctx, userId))) await ctx.purges.acknowledge(userId)
  return undefined
}

/** Erases up to 500 messages, and replaces the person in the conversations whose last message is erased. */
async function eraseConversations(
  ctx: Context,
  userId: string,
  progress: PurgeProgress,
): Promise<PurgeProgress> {
  const read = await readMessages(ctx, progress)
  const standIns = read.map(({ standIn }) => standIn)
  await Promise.all([
    ctx.people.add(standIns, { username: 'Unknown User', version: lastVersion }),
    ctx.entitlementStore.addGone(standIns, lastVersion),
    ctx.messages.eraseMember(userId, read),
  ])
  const ended = read.filter(({ isEnded }) => isEnded)
  // The rows are replaced last, so that a part that runs again still finds the conversations.
  const partnerIds = await ctx.memberErasure.replaceMember(userId, ended)
  if (partnerIds.length > 0) await publishLimitsChangedTo(ctx, partnerIds)
  const goesOn = read.find(({ isEnded }) => !isEnded)
  return { ...progress, open: progress.open.slice(ended.length), after: goesOn?.lastSeq ?? 0 }
}

/**
 * Returns up to 500 next messages of these conversations, one conversation after the other. Only the last conversation may
 * have further messages.
 */
async function readMessages(ctx: Context, { open, after }: PurgeProgress) {
  const read = []
  let left = rowsAtOnce
  for (const [index, { conversationId, standIn }] of open.entries()) {
    const since = index === 0 ? after : 0
    const messages = await ctx.messages.next({ conversationId, after: since, atMost: left })
    left -= messages.length
    const lastSeq = messages.at(-1)?.seq ?? since
    read.push({ conversationId, standIn, messages, lastSeq, isEnded: left > 0 })
    if (left === 0) break
  }
  return read
}

/**
 * Removes the row that refuses sends of the partners. No process still remembers the old rows of the members by now
 * (`rememberedMs` in followed-cache.ts). Resolves with false while the sweep has not removed all media; auth repeats its
 * request a day later.
 */
export async function finishErasing(ctx: Context, userId: string): Promise<boolean> {
  if (await ctx.media.hasOfOwner(userId)) return false
  await ctx.mediaUsage.remove(userId)
  await ctx.entitlementStore.remove(userId)
  return true
}
