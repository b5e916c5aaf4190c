import { noSession } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { pinAlreadySet } from '../domain/errors.ts'
import { clearAfterReset } from './clear-after-reset.ts'

/**
 * Sets the PIN of an account that has none. Of two concurrent calls, one succeeds. After a reset of the app, the earlier
 * conversations are deleted first. Discreet mode stays as it is unless the input says otherwise.
 */
export async function setUpPin(
  ctx: Context,
  input: { userId: string; sessionId: string; pin: string; isDiscreet?: boolean | undefined },
): Promise<{ isDiscreet: boolean }> {
  const user = await ctx.users.byId(input.userId)
  if (!user) throw noSession()
  if (user.pinMac) throw pinAlreadySet()
  // The reset promised an empty app, so the conversations must be deleted before the next PIN.
  if (user.isClearPending) await clearAfterReset(ctx, user)
  const pinMac = ctx.pins.mac(input.userId, input.pin)
  const isDiscreet = input.isDiscreet ?? user.isDiscreet
  if (!(await ctx.users.setPin(user, { pinMac, isDiscreet }))) throw pinAlreadySet()
  await ctx.sessions.notePin(input.sessionId, ctx.clock.now())
  return { isDiscreet }
}
