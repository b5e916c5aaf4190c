import { limits } from '@sumlock/contracts/limits'
import { utcDay } from '@sumlock/service-kit/clock'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { requestOwnerNotice } from './request-notice.ts'

/** Counts a wrong password for an account. At the twentieth of a UTC day, its address gets one mail, if it is proven. */
export async function noteWrongPassword(ctx: Context, userId: string): Promise<void> {
  const day = utcDay(ctx.clock.now())
  const user = await ctx.passwordGuesses.count(userId, day)
  const { ofDay = 0, toldOn } = user?.guesses ?? {}
  if (!user?.isEmailVerified || ofDay < limits.wrongPasswordsToldAt || toldOn === day) return
  await transact(ctx.connection, async (session) => {
    if (await ctx.passwordGuesses.claimTelling(userId, day, session))
      await requestOwnerNotice(ctx, session, user, 'wrong-passwords')
  })
  ctx.outbox.kick()
}
