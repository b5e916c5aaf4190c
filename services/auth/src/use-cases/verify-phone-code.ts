import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { codeExpired, formerCode, wrongCode } from '../domain/errors.ts'
import { hashOpaque } from '../domain/opaque.ts'

/**
 * Checks a code against the attempt of this browser. Every guess is counted before it is compared. Only the code of an
 * earlier SMS, which proves nothing any more, is not counted as a guess.
 */
export async function verifyPhoneCode(
  ctx: Context,
  input: { proof: string | undefined; code: string },
): Promise<void> {
  const now = ctx.clock.now()
  if (!input.proof) throw codeExpired()
  const proofId = hashOpaque(input.proof)
  const attempt = await ctx.phoneVerifications.takeGuess(proofId, now)
  if (!attempt) throw codeExpired()
  const { former } = attempt
  if (attempt.codeMac !== ctx.codeMac(proofId, input.code)) {
    if (former && former.codeMac === ctx.codeMac(former.proofId, input.code)) {
      await ctx.phoneVerifications.giveGuessBack(proofId)
      throw formerCode()
    }
    throw attempt.guesses < limits.phoneCodeMaxGuesses ? wrongCode() : codeExpired()
  }
  const proofUntil = new Date(now.getTime() + limits.phoneProofLifetimeSeconds * 1000)
  if (!(await ctx.phoneVerifications.verify(proofId, now, proofUntil))) return
  ctx.metrics.phoneCodeVerified()
  const { askedFrom = [], sentAt } = attempt
  // The points are given back after the answer: the code is used up, so a failure must not look like a wrong code.
  ctx.background.run('giving a verified code back', async () => {
    for (const network of askedFrom) await ctx.sendLimits.giveBack(network, sentAt)
  })
}
