import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { noSession } from '@sumlock/service-kit/app-error'
import { deletionScheduled, notUnlocked } from '../domain/errors.ts'
import { knowsNumber } from '../domain/user.ts'
import { keysInUse, keyStateOf } from '../domain/user-key.ts'
import { slideUnlock } from '../domain/slide-unlock.ts'
import { checkPin } from './check-pin.ts'
import { endSurplus } from './end-sessions.ts'
import type { PinEntry } from './check-pin.ts'

/**
 * Unlocks the session with the right PIN. Resolves with the end of the unlock, the key that encrypts unsent messages, and
 * the values that open the person's own keys. Throws `locked` when a lock was requested while the entry waited, because the
 * later request wins.
 */
export async function unlock(ctx: Context, entry: PinEntry, way: 'password-mode' | 'digits') {
  const [owner, atArrival] = await Promise.all([
    ctx.users.byId(entry.userId),
    ctx.sessions.byId(entry.sessionId, ctx.clock.now()),
  ])
  if (!atArrival) throw noSession()
  const hadPin = knowsNumber(atArrival)
  const { user, wrongEntries, hasCancelled } = await checkPin(ctx, owner, entry, { way, hadPin })
  const now = ctx.clock.now()
  if (user.purgeAt) {
    await ctx.sessions.notePin(entry.sessionId, now)
    throw deletionScheduled()
  }
  const until = slideUnlock(now, now)
  // If the session is unlocked already, the key stays the same, so that copies on the device stay readable.
  const isUnlocked = atArrival.unlockedUntil !== null && atArrival.unlockedUntil > now
  const copyKey = (isUnlocked && atArrival.copyKey) || randomBytes(32).toString('base64url')
  const unlockedSince = (isUnlocked && (atArrival.unlockedSince ?? atArrival.unlockStartedAt)) || now
  const unlocked = { unlockStartedAt: now, unlockedSince, unlockedUntil: until, copyKey }
  if (!(await ctx.sessions.unlock(atArrival, unlocked)))
    throw (await ctx.sessions.byId(entry.sessionId, now)) ? notUnlocked() : noSession()
  ctx.security.note('unlocked', user._id)
  // The sign-in could not end surplus sessions in which the PIN was right; this session can do so now.
  if (!hadPin) await endSurplus(ctx, user, { ...atArrival, pinGivenAt: now })
  const wrongPasswords = user.guesses?.sinceUnlock ? await ctx.passwordGuesses.take(user._id) : 0
  // A cancelled reset is reported only by an entry that unlocks, because an earlier entry may have cancelled it and then
  // failed to unlock.
  const cancelledAt = hasCancelled ? await ctx.pendingResets.takeCancelled(user._id) : undefined
  ctx.publishInvalidation({ sid: entry.sessionId, userId: entry.userId, reason: 'unlocked' })
  return {
    userId: user._id,
    unlockedUntil: until.toISOString(),
    outboxKey: ctx.outboxKey(user),
    wrongEntries,
    wrongPasswords,
    ...(cancelledAt ? { cancelledResetDueAt: cancelledAt.toISOString() } : {}),
    ...keyStateOf(user, copyKey),
    keyShares: ctx.keyShares.of(user._id, keysInUse(user)),
  }
}
