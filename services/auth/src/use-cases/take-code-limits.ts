import { limits } from '@sumlock/contracts/limits'
import { networksOf } from '@sumlock/service-kit/client-address'
import type { Context } from '../context.ts'
import { smsBudgetSpent, tooManyCodes, tooManyUnverified } from '../domain/errors.ts'
import type { PhoneCodeResult } from '../metrics.ts'

export interface TakenLimits {
  /** These are keyed hashes of networks. Each gets its point back when the code is verified. */
  networks: string[]
  /** Undoes the counts of the networks and the number, for a code that was not sent. */
  giveBack: () => Promise<void>
}

/**
 * Counts a code for its networks, its number and the budget of the hour. A refusal undoes the earlier counts, because no
 * code was sent.
 */
export async function takeCodeLimits(
  ctx: Context,
  { phone, address }: { phone: string; address: string },
  now: Date,
): Promise<TakenLimits> {
  const networks =
    ctx.config.RATE_LIMITS === 'on' ? networksOf(address).map((one) => ctx.codeMac('network', one)) : []
  const counted: string[] = []
  const giveBack = async () => {
    for (const counter of counted) await ctx.sendLimits.giveBack(counter, now)
  }
  try {
    for (const [index, network] of networks.entries()) {
      const waitMs = await ctx.sendLimits.take(network, limits.unverifiedCodesPerHour[index] ?? 0, now)
      const result = index === 0 ? 'refused-address' : 'refused-network'
      if (waitMs > 0) throw refused(ctx, result, tooManyUnverified(waitMs))
      counted.push(network)
    }
    const number = ctx.codeMac('number', phone)
    const waitMs = await ctx.sendLimits.take(number, limits.phoneCodesPerHour, now)
    if (waitMs > 0) throw refused(ctx, 'refused-number', tooManyCodes(waitMs))
    counted.push(number)
    const isFirst = await claimFirst(ctx, networks, now)
    const spent = await ctx.sendLimits.takeFromBudget(ctx.config.SMS_PER_HOUR, isFirst, now)
    if (spent) throw refused(ctx, `refused-${spent.spent}`, smsBudgetSpent(spent.waitMs))
  } catch (error) {
    await giveBack()
    throw error
  }
  return { networks, giveBack }
}

function refused(ctx: Context, result: PhoneCodeResult, refusal: Error): Error {
  ctx.metrics.phoneCode(result)
  return refusal
}

/**
 * Returns whether this is one of the first codes of each network in this hour. A /48 network contains 65,536 of the /64
 * networks that count as an address, but has only four first codes.
 */
async function claimFirst(ctx: Context, networks: readonly string[], now: Date): Promise<boolean> {
  for (const [index, network] of networks.entries()) {
    const firsts = limits.firstCodesPerHour[index] ?? 0
    if (!(await ctx.sendLimits.claimFirst(network, firsts, now))) return false
  }
  return true
}
