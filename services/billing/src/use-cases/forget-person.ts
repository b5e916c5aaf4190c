import { randomUUID } from 'node:crypto'
import type { Job } from '@sumlock/service-kit/job-store'
import type { Context } from '../context.ts'

/** The id is stored before the first write, so that a repeated part uses the same one. */
export interface PurgeProgress {
  standIn: string
}

/** Returns null when auth does not confirm the deletion. */
export const beginForgetting = async (
  ctx: Context,
  { subject: userId }: Pick<Job, 'subject'>,
): Promise<PurgeProgress | null> => ((await ctx.purges.confirm(userId)) ? { standIn: randomUUID() } : null)

/** Keeps the next payments and grants of a purged person under a random id, and nothing of the person. */
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
