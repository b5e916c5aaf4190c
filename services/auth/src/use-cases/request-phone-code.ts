import { randomInt } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { codeSentRecently, phoneImpossible, smsBudgetSpent, tooManyCodes } from '../domain/errors.ts'
import { createOpaque, hashOpaque } from '../domain/opaque.ts'
import { canExist } from '../domain/phone-number.ts'
import { requestNotice } from './request-notice.ts'

export interface PhoneCodeSent {
  /** The value of the HttpOnly cookie that identifies this verification. */
  proof: string
  code: string
}

/** Stores a code and the request to send it, in one transaction. */
export async function requestPhoneCode(
  ctx: Context,
  input: { phone: string; previousProof: string | undefined },
): Promise<PhoneCodeSent> {
  if (!canExist(input.phone)) throw phoneImpossible()
  const now = ctx.clock.now()
  const previous = input.previousProof
    ? await ctx.phoneVerifications.byId(hashOpaque(input.previousProof))
    : null
  const resendAt = (previous?.sentAt.getTime() ?? 0) + limits.phoneResendAfterSeconds * 1000
  const isResend = previous?.phone === input.phone && previous.usedAt === null
  if (isResend && now.getTime() < resendAt) throw codeSentRecently(resendAt - now.getTime())
  await takeFromLimits(ctx, input.phone, now)

  const proof = createOpaque()
  const proofId = hashOpaque(proof)
  const code = String(randomInt(10 ** limits.phoneCodeLength)).padStart(limits.phoneCodeLength, '0')
  const expiresAt = new Date(now.getTime() + limits.phoneCodeLifetimeSeconds * 1000)
  const notice = { channel: 'sms', template: 'phone-code', to: input.phone, code } as const

  await ctx.connection.transaction(async (session) => {
    const fresh = { guesses: 0, sentAt: now, expiresAt, verifiedAt: null, usedAt: null }
    const former = isResend ? { former: { proofId: previous._id, codeMac: previous.codeMac } } : {}
    await ctx.phoneVerifications.insert(
      { _id: proofId, phone: input.phone, codeMac: ctx.codeMac(proofId, code), ...former, ...fresh },
      session,
    )
    await requestNotice(ctx, session, notice, expiresAt)
  })
  ctx.metrics.phoneCode('sent')
  ctx.outbox.kick()
  return { proof, code }
}

/** Checks the number's limit first, so that one number alone cannot spend the budget of all. */
async function takeFromLimits(ctx: Context, phone: string, now: Date): Promise<void> {
  const number = ctx.codeMac('number', phone)
  const waitForNumberMs = await ctx.sendLimits.take(number, limits.phoneCodesPerHour, now)
  if (waitForNumberMs > 0) {
    ctx.metrics.phoneCode('refused-number')
    throw tooManyCodes(waitForNumberMs)
  }
  const waitForBudgetMs = await ctx.sendLimits.takeFromBudget(ctx.config.SMS_PER_HOUR, now)
  if (waitForBudgetMs > 0) {
    ctx.metrics.phoneCode('refused-budget')
    throw smsBudgetSpent(waitForBudgetMs)
  }
}
