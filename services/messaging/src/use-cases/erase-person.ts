import { randomUUID } from 'node:crypto'
import type { Job } from '@sumlock/service-kit/job-store'
import { rowsAtOnce } from '@sumlock/service-kit/write-in-batches'
import type { Context } from '../context.ts'
import { publishLimitsChangedTo } from './publish-limits-changed.ts'

export interface PurgeProgress {
  /** Auth has repeated its request a day or more after the first one. */
  isRepeated?: boolean
  /** The ids are stored before the first write to one of these conversations, so that a restart uses the same ids. */
  open: { conversationId: string; standIn: string }[]
  /** The seq of the last message that was erased in the first of them. */
  after: number
}

/** The version is higher than any change's, so that a late answer of auth brings nothing back. */
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
 * Erases the next part of a person's reports, media and messages; the partners keep their own messages. Each conversation
 * gets a random id in place of the person's, which is shown as 'Unknown User' and as gone. At the end, name and code are removed.
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
  // The acts of administrators stay, without the person.
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
  await ctx.people.remove(userId)
  // A process may still remember the members as they were before the first request.
  if (progress.isRepeated && (await finishErasing(ctx, userId))) await ctx.purges.acknowledge(userId)
  return undefined
}

/** Erases 500 messages, and ends the conversations whose last message is erased. */
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
  // Until then a repeated part finds the conversations again.
  const partnerIds = await ctx.memberErasure.replaceMember(userId, ended)
  if (partnerIds.length > 0) await publishLimitsChangedTo(ctx, partnerIds)
  const goesOn = read.find(({ isEnded }) => !isEnded)
  return { ...progress, open: progress.open.slice(ended.length), after: goesOn?.lastSeq ?? 0 }
}

/**
 * Returns the next 500 messages of these conversations, one conversation after the other. Only the last conversation
 * may have further messages.
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
 * Removes the last row, which refuses sends of the partners. By then no process remembers the members as they were
 * (`rememberedMs` of the followed cache). False while the sweep has not removed all media; auth repeats its request a day later.
 */
export async function finishErasing(ctx: Context, userId: string): Promise<boolean> {
  if (await ctx.media.hasOfOwner(userId)) return false
  await ctx.mediaUsage.remove(userId)
  await ctx.entitlementStore.remove(userId)
  return true
}
