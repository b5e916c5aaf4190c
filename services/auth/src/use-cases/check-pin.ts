import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { wrongPin } from '../domain/errors.ts'
import { checkedPrefixes } from '../domain/checked-prefixes.ts'
import type { PinTry } from '../domain/unlock-budget.ts'
import type { User } from '../domain/user.ts'
import { revokeSession } from './revoke-session.ts'
import { settlePinTry } from './settle-pin-try.ts'

export interface PinEntry {
  userId: string
  sessionId: string
  pin: string
}

export interface RightEntry {
  user: User
  wrongEntries: number
  /** A reset of the app was cancelled, by this entry or an earlier one, and no unlock has reported it yet. */
  hasCancelled: boolean
}

/**
 * Resolves with the owner of the PIN when the entry is right. Throws `wrong_pin` when the entry is wrong or was not
 * compared. `hadPin` is true if the right PIN was given in the session before.
 */
export async function checkPin(
  ctx: Context,
  user: User | null,
  { userId, sessionId, pin }: PinEntry,
  { way, hadPin }: { way: PinTry['way']; hadPin: boolean },
): Promise<RightEntry> {
  const arrivedAt = ctx.clock.now()
  const pinMac = user?.pinMac
  if (!pinMac) throw wrongPin()
  const entryMac = (text: string) => ctx.pins.entryMac(userId, text)
  const pinTry = {
    id: randomUUID(),
    sessionId,
    way,
    entryMac: entryMac(pin),
    prefixMacs: checkedPrefixes(pin).map(entryMac),
    hadPin,
    arrivedAt,
  }
  const settled = await ctx.tryCap.run(sessionId, () =>
    settlePinTry(ctx, userId, pinTry, () => ctx.pins.matches(userId, pin, pinMac)),
  )
  if (settled?.verdict !== 'compare') {
    ctx.security.note('number-refused', userId)
    if (settled?.revokes) await revokeSession(ctx, { userId, sessionId })
    throw wrongPin()
  }
  if (!settled.isRight) {
    ctx.security.note('wrong-number', userId)
    // guard: revoke-at-twenty
    if (settled.revokesIfWrong) await revokeSession(ctx, { userId, sessionId })
    throw wrongPin()
  }
  // A silent check shows the owner nothing, so only other right entries cancel a waiting reset.
  const cancels = user.pendingReset !== undefined && way !== 'probe'
  if (cancels) await ctx.pendingResets.cancel(userId)
  const hasCancelled = cancels || user.cancelledResetDueAt !== undefined
  return { user, wrongEntries: settled.wrongEntries, hasCancelled }
}
