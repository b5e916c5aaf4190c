import { limits } from '@sumlock/contracts/limits'
import { AppError } from '@sumlock/service-kit/app-error'
import { addressGroup } from '@sumlock/service-kit/client-address'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import type { Gift } from '../domain/gift.ts'
import { yearMs } from '../domain/ledger.ts'
import { normalizeUpgradeCode } from '../domain/upgrade-code.ts'
import { appendGrant } from './change-ledger.ts'

export interface RedeemInput {
  userId: string
  clientAddress: string
  upgradeCode: string
}

/** An unknown code and a used one are refused with the same text. */
const refusedSentence = 'This code is not valid, or it was used before. Please check it and try again.'
const hourMs = 3_600_000

/**
 * Redeems a gift for a year of premium. If the same person repeats the request, it succeeds again without a second effect.
 */
export async function redeemCode(ctx: Context, input: RedeemInput): Promise<void> {
  const now = ctx.clock.now()
  const counters = [
    `person:${ctx.codes.hashOf(input.userId)}`,
    `address:${ctx.codes.hashOf(addressGroup(input.clientAddress))}`,
  ] as const
  const [ofPerson, ofAddress] = await Promise.all(
    counters.map((counter) => ctx.redeemTries.add(counter, now)),
  )
  if ((ofPerson ?? 0) > limits.redeemTriesPerPerson || (ofAddress ?? 0) > ctx.config.REDEEM_TRIES_PER_ADDRESS)
    throw tooManyTries(now)
  const code = normalizeUpgradeCode(input.upgradeCode)
  if (code === null) throw new AppError('not-found', 'upgrade_code_unknown', refusedSentence)
  const codeHash = ctx.codes.hashOf(code)
  // Concurrent transactions on the same gift collide and start again, so each code is redeemed by one request at a time.
  const giveBack = () => Promise.all(counters.map((counter) => ctx.redeemTries.giveBack(counter, now)))
  try {
    await ctx.redeeming.run(codeHash, () => redeem(ctx, codeHash, input.userId))
  } catch (error) {
    // Only a refused code counts as a try; a failure of the service does not.
    if (!isRefusal(error)) await giveBack()
    throw error
  }
  await giveBack()
}

const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'not-found' || error.kind === 'conflict')

async function redeem(ctx: Context, codeHash: string, userId: string): Promise<void> {
  const gift = await transact(ctx.connection, async (session): Promise<Gift | null> => {
    const redeemed = await ctx.gifts.redeem(codeHash, userId, ctx.clock.now(), session)
    if (!redeemed) return null
    await appendGrant(ctx, session, { grantId: redeemed._id, userId, source: 'gift', lengthMs: yearMs })
    return redeemed
  })
  if (gift) return ctx.outbox.kick()
  const known = await ctx.gifts.byCodeHash(codeHash)
  if (known?.redeemedBy === userId && known.status === 'redeemed') return
  if (known?.isRedeemed) throw new AppError('conflict', 'upgrade_code_used', refusedSentence)
  throw new AppError('not-found', 'upgrade_code_unknown', refusedSentence)
}

function tooManyTries(now: Date): AppError {
  const retryAfterSeconds = Math.ceil((hourMs - (now.getTime() % hourMs)) / 1000)
  return new AppError(
    'rate-limited',
    'too_many_requests',
    'Too many codes were tried. Please try again in an hour.',
    {},
    { retryAfterSeconds },
  )
}
