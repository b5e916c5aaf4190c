import { randomUUID } from 'node:crypto'
import type { Job } from '@sumlock/service-kit/job-store'
import type { Context } from '../context.ts'

/**
 * A purge runs in parts, and a part may run twice. The random id that replaces the user id is stored before the first part
 * writes, so that every run uses the same one.
 */
export interface PurgeProgress {
  standIn: string
}

/** Resolves with null when auth does not confirm that the person is deleted. */
export const beginForgetting = async (
  ctx: Context,
  { subject: userId }: Pick<Job, 'subject'>,
): Promise<PurgeProgress | null> => ((await ctx.purges.confirm(userId)) ? { standIn: randomUUID() } : null)

/**
 * Moves the next batch of a purged person's payments, grants and other rows to the random id. When nothing is left, removes
 * the account and resolves with undefined.
 */
export async function forgetPart(
  ctx: Context,
  { subject: userId, progress }: Pick<Job<object, PurgeProgress>, 'subject' | 'progress'>,
): Promise<PurgeProgress | undefined> {
  const { standIn } = progress ?? { standIn: randomUUID() }
  const hasMore =
    (await ctx.ledger.moveGrants(userId, standIn)) ||
    (await ctx.adminActions.replaceNext(userId, standIn)) ||
    (await ctx.payments.replacePerson(userId, standIn)) ||
    (await ctx.mobileSubscriptions.replacePerson(userId, standIn)) ||
    (await ctx.promoRedemptions.forgetPerson(userId)) ||
    (await ctx.gifts.forgetBuyer(userId, standIn)) ||
    (await ctx.gifts.replaceRecipient(userId, standIn))
  if (hasMore) return { standIn }
  await ctx.ledger.removeAccount(userId)
  await ctx.purges.acknowledge(userId)
  return undefined
}
