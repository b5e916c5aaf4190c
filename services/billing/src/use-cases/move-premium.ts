import { randomUUID } from 'node:crypto'
import type { ClientSession } from 'mongoose'
import type { Context } from '../context.ts'
import { yearMs } from '../domain/ledger.ts'
import type { EndReason, Payment } from '../domain/payment.ts'
import type { Settlement } from '../domain/settlement.ts'
import { appendGrant, removeGrant } from './change-ledger.ts'

/**
 * Grants, takes or returns the premium of a payment, in the ledger of the person who has it. The payment records how much
 * was taken.
 */
export async function movePremium(
  ctx: Context,
  payment: Payment,
  { premium, reason = 'refunded' }: Settlement,
  session: ClientSession,
): Promise<void> {
  if (premium === 'taken') return take(ctx, payment, reason, session)
  if (premium === 'returned') return giveBack(ctx, payment, session)
  if (premium === 'granted') {
    const { _id: grantId, userId } = payment
    await appendGrant(ctx, session, { grantId, userId, source: 'direct', lengthMs: yearMs })
  }
}

const grantIdOf = ({ _id, grantId, giftId }: Payment) => grantId ?? giftId ?? _id

async function take(ctx: Context, payment: Payment, reason: EndReason, session: ClientSession) {
  const { _id, kind, paidAt, ended } = payment
  const removedMs = await removeGrant(ctx, session, grantIdOf(payment), reason)
  if (ended) return
  // An upgrade that was never reported as paid has granted nothing yet, so a won dispute must return the whole year.
  const takenMs = kind === 'upgrade' && paidAt === null ? yearMs : removedMs
  await ctx.payments.update(_id, { ended: { at: ctx.clock.now(), reason, takenMs } }, session)
}

async function giveBack(ctx: Context, payment: Payment, session: ClientSession) {
  const { _id, kind, ended } = payment
  await ctx.payments.forgetEnd(_id, session)
  const taken = await ctx.ledger.grant(grantIdOf(payment), session)
  if (taken) await ctx.ledger.forgetReason(taken._id, session)
  const lengthMs = ended?.takenMs ?? 0
  if (lengthMs <= 0) return
  const grantId = randomUUID()
  const userId = taken?.userId ?? payment.userId
  const source = kind === 'gift' ? 'gift' : 'direct'
  await ctx.payments.update(_id, { grantId }, session)
  const rest = taken ? { restOf: taken } : {}
  await appendGrant(ctx, session, { grantId, userId, source, lengthMs, ...rest })
}
