import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { wrongPin } from '../domain/errors.ts'
import { knowsNumber } from '../domain/user.ts'
import { checkPin } from './check-pin.ts'
import type { PinEntry } from './check-pin.ts'

/** Checks an entry without unlocking. After the third right entry, it always throws `wrong_pin`. */
export async function probePin(ctx: Context, entry: PinEntry): Promise<{ hint: boolean }> {
  const [user, session] = await Promise.all([
    ctx.users.byId(entry.userId),
    ctx.sessions.byId(entry.sessionId, ctx.clock.now()),
  ])
  if (!user || user.isDiscreet || user.silentHits >= limits.hintAfterCorrectEntries) throw wrongPin()
  const hadPin = session !== null && knowsNumber(session)
  await checkPin(ctx, user, entry, { way: 'probe', hadPin })
  const hits = await ctx.users.countSilentHit(entry.userId)
  if (hits === null) throw wrongPin()
  return { hint: hits === limits.hintAfterCorrectEntries }
}
