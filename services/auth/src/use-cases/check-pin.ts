import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import { wrongPin } from '../domain/errors.ts'
import { checkedPrefixes } from '../domain/unlock-budget.ts'
import type { PinTry } from '../domain/unlock-budget.ts'
import type { User } from '../domain/user.ts'
import { revokeSession } from './revoke-session.ts'
import { takePinTurn } from './take-pin-turn.ts'

export interface PinEntry {
  userId: string
  sessionId: string
  pin: string
}

/** Throws `wrong_pin` when the entry is wrong, and just the same when it was not compared. */
export async function checkPin(
  ctx: Context,
  entry: PinEntry,
  way: PinTry['way'],
): Promise<{ wrongEntries: number }> {
  const { userId, sessionId } = entry
  const entryMac = (text: string) => ctx.entryMac(userId, text)
  const pinTry = {
    id: randomUUID(),
    sessionId,
    way,
    entryMac: entryMac(entry.pin),
    prefixMacs: checkedPrefixes(entry.pin).map(entryMac),
    arrivedAt: ctx.clock.now(),
  }
  const user = await ctx.users.byId(userId)
  if (!user?.pinHash) throw wrongPin()
  const turn = await ctx.tryCap.run(sessionId, () => takePinTurn(ctx, userId, pinTry))
  if (turn?.verdict !== 'compare') {
    if (turn?.revokes) await revokeSession(ctx, entry)
    throw wrongPin()
  }
  const settle = (budget: typeof turn.ifRight) => ctx.unlockBudgets.write(userId, turn.version, budget)
  const isRight = await matches(ctx, user, entry).catch(async (error: unknown) => {
    // guard: uncompared-is-uncounted
    await settle(turn.ifNotCompared)
    throw error
  })
  if (!isRight) {
    // guard: revoke-at-twenty
    if (turn.revokesIfWrong) await revokeSession(ctx, entry)
    throw wrongPin()
  }
  await settle(turn.ifRight)
  return { wrongEntries: turn.wrongEntries }
}

/** A bcrypt hash of an earlier release gets its successor with the first right entry. */
async function matches(ctx: Context, user: User, { userId, pin }: PinEntry): Promise<boolean> {
  const mac = ctx.pinMac(userId, pin)
  if (user.pinMac) return timingSafeEqual(Buffer.from(mac), Buffer.from(user.pinMac))
  const isRight = await ctx.compareFormerPinHash(mac, user.pinHash ?? '')
  if (isRight) await ctx.users.replacePinHash(userId, mac)
  return isRight
}
