import type { Context } from '../context.ts'
import { pinAlreadySet } from '../domain/errors.ts'

/** Sets the numeric password of an account that has none. Of two at once, one wins. */
export async function setUpPin(
  ctx: Context,
  input: { userId: string; pin: string; isDiscreet: boolean },
): Promise<void> {
  const user = await ctx.users.byId(input.userId)
  if (user?.pinHash) throw pinAlreadySet()
  const pinMac = ctx.pinMac(input.userId, input.pin)
  const pinHash = await ctx.formerPinHash(pinMac)
  const { isDiscreet } = input
  if (!(await ctx.users.setPin(input.userId, { pinMac, pinHash, isDiscreet }))) throw pinAlreadySet()
}
