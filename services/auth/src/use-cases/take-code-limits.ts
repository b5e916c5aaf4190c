import { limits } from '@sumlock/contracts/limits'
import { networksOf } from '@sumlock/service-kit/client-address'
import type { Context } from '../context.ts'
import { smsBudgetSpent, tooManyCodes, tooManyUnverified } from '../domain/errors.ts'
import type { PhoneCodeResult } from '../metrics.ts'

/**
 * Counts a code to its networks, its number and the budget of the hour. A refusal by one gives back to those before it, so
 * that nobody pays for a code that was not sent. Resolves with the networks that get a point back when the code is verified.
 */
export async function takeCodeLimits(
  ctx: Context,
  { phone, address }: { phone: string; address: string },
  now: Date,
): Promise<string[]> {
  const networks =
    ctx.config.RATE_LIMITS === 'on' ? networksOf(address).map((one) => ctx.codeMac('network', one)) : []
  const counted: string[] = []
  const refuse = async (result: PhoneCodeResult, refusal: Error) => {
    ctx.metrics.phoneCode(result)
    for (const counter of counted) await ctx.sendLimits.giveBack(counter, now)
    return refusal
  }

  for (const [index, network] of networks.entries()) {
    const waitMs = await ctx.sendLimits.take(network, limits.unverifiedCodesPerHour[index] ?? 0, now)
    const result = index === 0 ? 'refused-address' : 'refused-network'
    if (waitMs > 0) throw await refuse(result, tooManyUnverified(waitMs))
    counted.push(network)
  }
  const number = ctx.codeMac('number', phone)
  const waitMs = await ctx.sendLimits.take(number, limits.phoneCodesPerHour, now)
  if (waitMs > 0) throw await refuse('refused-number', tooManyCodes(waitMs))
  counted.push(number)

  // The widest network, because a /48 has 65,536 addresses that could each ask for a first code.
  const widest = networks.at(-1)
  const isFirst = widest === undefined || (await ctx.sendLimits.claimFirst(widest, now))
  const refused = await ctx.sendLimits.takeFromBudget(ctx.config.SMS_PER_HOUR, isFirst, now)
  if (refused) throw await refuse(`refused-${refused.spent}`, smsBudgetSpent(refused.waitMs))
  return networks
}
