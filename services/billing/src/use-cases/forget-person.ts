import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import type { LedgerSession } from '../stores/ledger-store.ts'

/** Keeps payments and grants of a purged person under a random id, and nothing of the person. */
export async function forgetPerson(ctx: Context, userId: string, session: LedgerSession): Promise<void> {
  const standIn = randomUUID()
  await ctx.ledger.replacePerson(userId, standIn, session)
  await ctx.payments.replacePerson(userId, standIn, session)
  await ctx.mobileSubscriptions.replacePerson(userId, standIn, session)
  await ctx.promoRedemptions.forgetPerson(userId, session)
  await ctx.gifts.replacePerson(userId, standIn, session)
}
