import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { wrongPin } from '../domain/errors.ts'
import { checkPin } from './check-pin.ts'
import type { PinEntry } from './check-pin.ts'

/** Tells whether an entry is right, without unlocking. After the third right entry it always answers `wrong_pin`. */
export async function probePin(ctx: Context, entry: PinEntry): Promise<{ hint: boolean }> {
  const user = await ctx.users.byId(entry.userId)
  if (!user || user.isDiscreet || user.silentHits >= limits.hintAfterCorrectEntries) throw wrongPin()
  const session = await ctx.sessions.byId(entry.sessionId, ctx.clock.now())
  await checkPin(ctx, entry, 'probe', session?.pinGivenAt !== undefined)
  const hits = await ctx.users.countSilentHit(entry.userId)
  if (hits === null) throw wrongPin()
  return { hint: hits === limits.hintAfterCorrectEntries }
}
