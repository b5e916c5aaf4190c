import { noSession } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { notUnlocked, wrongPin } from '../domain/errors.ts'
import { checkPin } from './check-pin.ts'
import type { PinEntry } from './check-pin.ts'
import { lock } from './lock.ts'

/**
 * Replaces the PIN of an unlocked session that enters the present one, and locks the account's other sessions. Of two
 * changes at once, the second throws `wrong_pin`: what it entered is the present PIN no longer.
 */
export async function changePin(ctx: Context, entry: PinEntry, next: string): Promise<void> {
  const { userId, sessionId } = entry
  const now = ctx.clock.now()
  const [session, user] = await Promise.all([ctx.sessions.byId(sessionId, now), ctx.users.byId(userId)])
  if (!session || !user) throw noSession()
  if (!session.unlockedUntil || session.unlockedUntil <= now) throw notUnlocked()
  await checkPin(ctx, entry, 'password-mode')
  const { pinHash } = user
  if (!pinHash || !(await ctx.users.replacePin(userId, pinHash, await ctx.pins.seal(userId, next))))
    throw wrongPin()
  for (const other of await ctx.sessions.othersOf(userId, sessionId, ctx.clock.now()))
    await lock(ctx, { sessionId: other._id, userId })
}
