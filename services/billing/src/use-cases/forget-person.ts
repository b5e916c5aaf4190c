import { randomUUID } from 'node:crypto'
import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import type { Job } from '@sumlock/service-kit/job-store'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'

export interface Purge {
  /** Of the event that requested it. */
  eventId: string
}

/** Stored before the first write, so that a repeated part goes on with the same id. */
export interface PurgeProgress {
  standIn: string
}

/** Keeps the next payments and grants of a purged person under a random id, and nothing of the person. */
export async function forgetPart(
  ctx: Context,
  { subject: userId, progress }: Pick<Job<Purge, PurgeProgress>, 'subject' | 'progress'>,
): Promise<PurgeProgress | undefined> {
  if (!progress) return { standIn: randomUUID() }
  const { standIn } = progress
  const hasMore =
    (await ctx.ledger.moveGrants(userId, standIn)) ||
    (await ctx.payments.replacePerson(userId, standIn)) ||
    (await ctx.mobileSubscriptions.replacePerson(userId, standIn)) ||
    (await ctx.promoRedemptions.forgetPerson(userId)) ||
    (await ctx.gifts.forgetBuyer(userId, standIn)) ||
    (await ctx.gifts.replaceRecipient(userId, standIn))
  return hasMore ? progress : undefined
}

/** Acknowledges a purge in the transaction that ends it. */
export async function acknowledgePurge(
  ctx: Context,
  { subject: userId, request: { eventId } }: Pick<Job<Purge>, 'subject' | 'request'>,
  session: ClientSession,
): Promise<void> {
  await ctx.ledger.removeAccount(userId, session)
  if (await ctx.inbox.recordOnce(session, 'purge', eventId))
    await ctx.outbox.add(session, purgeAcknowledged, { userId, owner: 'billing' })
}
