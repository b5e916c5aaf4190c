import type { Context } from '../context.ts'
import { noSession } from '../domain/errors.ts'
import { slideUnlock } from '../domain/slide-unlock.ts'
import { checkPin } from './check-pin.ts'
import type { PinEntry } from './check-pin.ts'

/** Unlocks the session with the right PIN; answers until when, and with the key for what is unsent at lock. */
export async function unlock(ctx: Context, entry: PinEntry, way: 'password-mode' | 'digits') {
  const { wrongEntries } = await checkPin(ctx, entry, way)
  const now = ctx.clock.now()
  const until = slideUnlock(now, now)
  if (!(await ctx.sessions.unlock(entry.sessionId, now, until))) throw noSession()
  ctx.announce({ sid: entry.sessionId, userId: entry.userId, reason: 'unlocked' })
  return { unlockedUntil: until.toISOString(), outboxKey: ctx.outboxKey(entry.userId), wrongEntries }
}
