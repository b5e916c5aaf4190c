import { randomUUID } from 'node:crypto'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import { paidGift } from '../domain/gift.ts'
import type { GiftStatus } from '../domain/gift.ts'
import { yearMs } from '../domain/ledger.ts'
import type { EndReason, Payment } from '../domain/payment.ts'
import { appendGrant, removeGrant } from './change-ledger.ts'

/** What a gift can be when its payment ends so; in any other state it stays. */
const endsFrom: Readonly<Record<'disputed' | 'refunded', readonly GiftStatus[]>> = {
  disputed: ['created', 'paid', 'sent'],
  refunded: ['created', 'paid', 'sent', 'redeemed', 'expired', 'disputed'],
}

const grantIdOf = ({ _id, grantId, giftId }: Payment) => grantId ?? giftId ?? _id

/**
 * Ends a payment whose money has gone back, for good or while a dispute lasts: its premium is taken out of the ledger, whoever
 * has it, and the code of its gift stops working. Resolves with null: there is no gift to mail.
 */
export async function endPayment(
  ctx: Context,
  paymentId: string,
  { status, reason }: { status: 'refunded' | 'disputed'; reason: EndReason },
  session: ClientSession,
): Promise<null> {
  const payment = await ctx.payments.byId(paymentId, session)
  if (!payment || payment.status === 'refunded' || payment.status === status) return null
  const { giftId, kind, ended } = payment
  const removedMs = await removeGrant(ctx, session, grantIdOf(payment), reason)
  // What was never told to be paid has granted nothing yet.
  const owedMs = kind === 'upgrade' && payment.paidAt === null ? yearMs : removedMs
  if (giftId !== null) await ctx.gifts.move(giftId, endsFrom[status], { status }, session)
  const change = { status, ended: ended ?? { at: ctx.clock.now(), reason, takenMs: owedMs } }
  await ctx.payments.move(paymentId, [payment.status], change, session)
  return null
}

/** Gives back what a dispute took, once. Resolves with the gift that has to be mailed again, if any. */
export async function winDispute(
  ctx: Context,
  paymentId: string,
  session: ClientSession,
): Promise<string | null> {
  const now = ctx.clock.now()
  const payment = await ctx.payments.restore(paymentId, now, session)
  if (!payment) return null
  const { giftId, kind, ended } = payment
  if (giftId !== null && (await ctx.gifts.move(giftId, ['disputed'], paidGift(now), session))) return giftId
  const taken = await ctx.ledger.grant(grantIdOf(payment), session)
  if (taken) await ctx.ledger.forgetReason(taken._id, session)
  const userId = taken?.userId ?? payment.userId
  const lengthMs = ended?.takenMs ?? 0
  if (lengthMs > 0) {
    const grantId = randomUUID()
    await ctx.payments.move(paymentId, ['paid'], { status: 'paid', grantId }, session)
    const source = kind === 'gift' ? 'gift' : 'direct'
    await appendGrant(ctx, session, { grantId, userId, source, lengthMs })
  }
  return null
}
