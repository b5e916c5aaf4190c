import { limits } from '@sumlock/contracts/limits'
import { utcDay } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { wrongPin } from '../domain/errors.ts'
import { checkedPrefixes } from '../domain/unlock-budget.ts'
import type { User } from '../domain/user.ts'
import { revokeSession } from './revoke-session.ts'

export interface PinEntry {
  userId: string
  sessionId: string
  pin: string
}

/** The explicit budget (password mode). Throws `wrong_pin` when wrong, and just the same while paused. */
export async function checkPinExplicitly(ctx: Context, entry: PinEntry): Promise<void> {
  const take = () => ctx.users.takeExplicitTry(entry.userId, ctx.clock.now())
  const { isRight, user } = await compare(ctx, entry, take)
  if (!isRight) {
    if (user && user.explicitFailures >= limits.explicitRevokeAfterFailures) await revokeSession(ctx, entry)
    throw wrongPin()
  }
  await ctx.users.clearExplicitTries(entry.userId)
}

/** The soft budget (probes and bare digits): so many failures a day, a chain of longer and longer entries counting once. */
export async function checkPinSoftly(ctx: Context, entry: PinEntry): Promise<void> {
  const day = utcDay(ctx.clock.now())
  const { isRight, user } = await compare(ctx, entry, () => ctx.users.takeSoftTry(entry.userId, day))
  if (!isRight) {
    if (user) {
      const mac = (text: string) => ctx.entryMac(entry.userId, text)
      await ctx.users.rememberSoftFailure(entry.userId, mac(entry.pin), checkedPrefixes(entry.pin).map(mac))
    }
    throw wrongPin()
  }
  await ctx.users.returnSoftTry(entry.userId, day)
}

/** A try is taken when its turn to be hashed comes: who is turned away before has lost none. */
async function compare(
  ctx: Context,
  { userId, pin }: PinEntry,
  take: () => Promise<User | null>,
): Promise<{ isRight: boolean; user: User | null }> {
  let user = null as User | null
  // guard: try-at-its-turn
  const isRight = await ctx.compare(ctx.pinSecret(userId, pin), async () => {
    user = await take()
    return user?.pinHash ?? null
  })
  return { isRight, user }
}
