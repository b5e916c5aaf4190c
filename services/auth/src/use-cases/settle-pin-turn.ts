import type { Context } from '../context.ts'
import { rebaseOutcome } from '../domain/rebase-outcome.ts'
import type { UnlockBudget } from '../domain/unlock-budget.ts'
import type { PinTurn } from './take-pin-turn.ts'

const triesAtMost = 5

/** Stores the outcome of a try that was counted as wrong, also when other tries have been counted since. */
export async function settlePinTurn(
  ctx: Pick<Context, 'unlockBudgets' | 'logger'>,
  { userId, sessionId }: { userId: string; sessionId: string },
  turn: PinTurn,
  outcome: UnlockBudget,
): Promise<void> {
  if (await ctx.unlockBudgets.write(userId, turn.version, outcome)) return
  for (let tries = 0; tries < triesAtMost; tries += 1) {
    const newest = await ctx.unlockBudgets.read(userId)
    if (!newest) return
    const settled = rebaseOutcome(newest.budget, sessionId, turn.ifWrong, outcome)
    if (await ctx.unlockBudgets.write(userId, newest.version, settled)) return
  }
  ctx.logger.warn({ userId }, 'PIN entry stays counted as wrong because its outcome could not be stored')
}
