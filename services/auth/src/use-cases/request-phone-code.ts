import { randomInt } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { codeSentRecently, countryNotServed, phoneImpossible } from '../domain/errors.ts'
import { createOpaque, hashOpaque } from '../domain/opaque.ts'
import { canExist, isIn } from '../domain/phone-number.ts'
import { requestNotice } from './request-notice.ts'
import { takeCodeLimits } from './take-code-limits.ts'

export interface PhoneCodeSent {
  /** The HttpOnly cookie with this value identifies the verification. */
  proof: string
  code: string
}

/** Stores a code and the request to send it, in one transaction. */
export async function requestPhoneCode(
  ctx: Context,
  input: { phone: string; previousProof: string | undefined; address: string },
): Promise<PhoneCodeSent> {
  if (!canExist(input.phone)) throw phoneImpossible()
  const countries = ctx.config.SMS_COUNTRIES
  if (countries && !isIn(countries, input.phone)) {
    ctx.metrics.phoneCode('refused-country')
    throw countryNotServed()
  }
  const now = ctx.clock.now()
  const previous = input.previousProof
    ? await ctx.phoneVerifications.byId(hashOpaque(input.previousProof))
    : null
  const resendAt = (previous?.sentAt.getTime() ?? 0) + limits.phoneResendAfterSeconds * 1000
  const isResend = previous?.phone === input.phone && previous.usedAt === null
  if (isResend && now.getTime() < resendAt) throw codeSentRecently(resendAt - now.getTime())
  const { networks: askedFrom, giveBack } = await takeCodeLimits(ctx, input, now)

  const proof = createOpaque()
  const proofId = hashOpaque(proof)
  const code = String(randomInt(10 ** limits.phoneCodeLength)).padStart(limits.phoneCodeLength, '0')
  const expiresAt = new Date(now.getTime() + limits.phoneCodeLifetimeSeconds * 1000)
  const notice = { channel: 'sms', template: 'phone-code', to: input.phone, code } as const

  await transact(ctx.connection, async (session) => {
    const fresh = { askedFrom, guesses: 0, sentAt: now, expiresAt, verifiedAt: null, usedAt: null }
    const former = isResend ? { former: { proofId: previous._id, codeMac: previous.codeMac } } : {}
    await ctx.phoneVerifications.insert(
      { _id: proofId, phone: input.phone, codeMac: ctx.codeMac(proofId, code), ...former, ...fresh },
      session,
    )
    await requestNotice(ctx, session, notice, expiresAt)
  }).catch(async (error: unknown) => {
    await giveBack()
    throw error
  })
  ctx.metrics.phoneCode('sent')
  ctx.outbox.kick()
  return { proof, code }
}
