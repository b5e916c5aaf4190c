import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { wrongPin } from '../domain/errors.ts'
import { checkedPrefixes } from '../domain/checked-prefixes.ts'
import type { PinTry } from '../domain/unlock-budget.ts'
import type { User } from '../domain/user.ts'
import { revokeSession } from './revoke-session.ts'
import { settlePinTurn } from './settle-pin-turn.ts'
import { takePinTurn } from './take-pin-turn.ts'

export interface PinEntry {
  userId: string
  sessionId: string
  pin: string
}

export interface RightEntry {
  user: User
  wrongEntries: number
  /** A reset of the app was cancelled, by this entry or before, and nobody was told yet. */
  hasCancelled: boolean
}

/** Resolves with the owner of the PIN; `hadPin`: it was right in the session before. Throws `wrong_pin` when the entry is wrong, and also when it was not compared. */
export async function checkPin(
  ctx: Context,
  entry: PinEntry,
  way: PinTry['way'],
  hadPin = false,
): Promise<RightEntry> {
  const { userId, sessionId } = entry
  const arrivedAt = ctx.clock.now()
  const entryMac = (text: string) => ctx.pins.entryMac(userId, text)
  const user = await ctx.users.byId(userId)
  if (!user?.pinHash) throw wrongPin()
  const pinTry = {
    id: randomUUID(),
    sessionId,
    way,
    entryMac: entryMac(entry.pin),
    prefixMacs: checkedPrefixes(entry.pin).map(entryMac),
    hadPin,
    arrivedAt,
  }
  const turn = await ctx.tryCap.run(sessionId, () => takePinTurn(ctx, userId, pinTry))
  if (turn?.verdict !== 'compare') {
    ctx.security.note('number-refused', userId)
    if (turn?.revokes) await revokeSession(ctx, entry)
    throw wrongPin()
  }
  const settle = (outcome: typeof turn.ifRight) => settlePinTurn(ctx, entry, turn, outcome)
  const isRight = await ctx.pins.matches(userId, entry.pin, user).catch(async (error: unknown) => {
    await settle(turn.ifNotCompared)
    throw error
  })
  if (!isRight) {
    ctx.security.note('wrong-number', userId)
    // guard: revoke-at-twenty
    if (turn.revokesIfWrong) await revokeSession(ctx, entry)
    throw wrongPin()
  }
  if (!user.pinMac) await ctx.users.replacePinHash(userId, ctx.pins.mac(userId, entry.pin))
  await settle(turn.ifRight)
  // A silent check tells the owner nothing, so it leaves the reset to the entry that unlocks.
  const cancels = user.pendingReset !== undefined && way !== 'probe'
  if (cancels) await ctx.pendingResets.cancel(userId)
  const hasCancelled = cancels || user.cancelledResetDueAt !== undefined
  return { user, wrongEntries: turn.wrongEntries, hasCancelled }
}
