import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { wrongPin } from '../domain/errors.ts'
import { checkPin } from './check-pin.ts'
import type { PinEntry } from './check-pin.ts'

/** Says whether an entry is right and unlocks nothing. After the third right one it never says so again. */
export async function probePin(ctx: Context, entry: PinEntry): Promise<{ hint: boolean }> {
  const user = await ctx.users.byId(entry.userId)
  if (!user || user.isDiscreet || user.silentHits >= limits.hintAfterCorrectEntries) throw wrongPin()
  await checkPin(ctx, entry, 'probe')
  const hits = await ctx.users.countSilentHit(entry.userId)
  if (hits === null) throw wrongPin()
  return { hint: hits === limits.hintAfterCorrectEntries }
}
