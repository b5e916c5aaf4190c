import type { Context } from '../context.ts'
import { pinAlreadySet } from '../domain/errors.ts'

/** Sets the numeric password of an account that has none. Of two concurrent calls, one succeeds. */
export async function setUpPin(
  ctx: Context,
  input: { userId: string; pin: string; isDiscreet: boolean },
): Promise<void> {
  const user = await ctx.users.byId(input.userId)
  if (user?.pinHash) throw pinAlreadySet()
  const pin = await ctx.pins.seal(input.userId, input.pin)
  if (!(await ctx.users.setPin(input.userId, { ...pin, isDiscreet: input.isDiscreet }))) throw pinAlreadySet()
}
