import type { NewBox } from '@sumlock/contracts/identity-routes'
import type { Context } from '../context.ts'
import { boxesRequired, wrongPin } from '../domain/errors.ts'
import { withNewBoxes } from '../domain/user-key.ts'
import { checkPin } from './check-pin.ts'
import type { User } from '../domain/user.ts'
import type { PinEntry } from './check-pin.ts'
import { lockOthers } from './lock.ts'
import { requireUnlocked } from './require-unlocked.ts'

export interface NextPin {
  pin: string
  boxes: readonly NewBox[]
  pinVersion: number | undefined
}

/**
 * Replaces the PIN in an unlocked session after the present PIN was entered, and locks the account's other sessions. The
 * boxes of the person's keys change in the same write. Of two concurrent changes, the second throws `wrong_pin`, because it
 * entered the former PIN. If a key was stored in between, `boxes_required` is thrown.
 */
export async function changePin(ctx: Context, entry: PinEntry, next: NextPin): Promise<void> {
  const user = await requireUnlocked(ctx, entry)
  const keys = withNewBoxes(user, next)
  await checkPin(ctx, user, entry, { way: 'password-mode', hadPin: true })
  const changed = { pinMac: ctx.pins.mac(user._id, next.pin), ...(keys ? { keys } : {}) }
  if (!(await ctx.userKeys.replacePin(user, changed))) throw await changedMeanwhile(ctx, user)
  await lockOthers(ctx, entry)
}

async function changedMeanwhile(ctx: Context, before: User): Promise<Error> {
  const user = await ctx.users.byId(before._id)
  return user?.pinVersion === before.pinVersion ? boxesRequired() : wrongPin()
}
