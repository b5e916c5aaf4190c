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
export function checkPinExplicitly(ctx: Context, entry: PinEntry): Promise<void> {
  // guard: turn-before-try
  return ctx.inTurn(async () => {
    const user = await ctx.users.takeExplicitTry(entry.userId, ctx.clock.now())
    if (!(await matches(ctx, entry, user))) {
      // guard: revoke-at-hundred
      if (user && user.explicitFailures >= limits.explicitRevokeAfterFailures) await revokeSession(ctx, entry)
      throw wrongPin()
    }
    await ctx.users.clearExplicitTries(entry.userId)
  })
}

/** The soft budget (probes and bare digits): so many failures a day, a chain of longer and longer entries counting once. */
export function checkPinSoftly(ctx: Context, entry: PinEntry): Promise<void> {
  return ctx.inTurn(async () => {
    const day = utcDay(ctx.clock.now())
    const user = await ctx.users.takeSoftTry(entry.userId, day)
    if (!(await matches(ctx, entry, user))) {
      if (user) {
        const mac = (text: string) => ctx.entryMac(entry.userId, text)
        await ctx.users.rememberSoftFailure(entry.userId, mac(entry.pin), checkedPrefixes(entry.pin).map(mac))
      }
      throw wrongPin()
    }
    await ctx.users.returnSoftTry(entry.userId, day)
  })
}

const matches = (ctx: Context, entry: PinEntry, user: User | null): Promise<boolean> =>
  ctx.compare(ctx.pinSecret(entry.userId, entry.pin), user?.pinHash ?? null)
