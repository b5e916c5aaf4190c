import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { decideTry, emptyBudget } from '../domain/unlock-budget.ts'
import type { PinTry, TryDecision } from '../domain/unlock-budget.ts'

export type PinTurn = Extract<TryDecision, { verdict: 'compare' }> & { version: number }
export type RefusedTurn = Extract<TryDecision, { verdict: 'refuse' }>

const retryMs = 10

/** Waits for the try's turn and counts it as wrong before the comparison; refuses a try that is not allowed. */
export async function takePinTurn(
  ctx: Pick<Context, 'clock' | 'unlockBudgets'>,
  userId: string,
  pinTry: PinTry,
): Promise<PinTurn | RefusedTurn> {
  for (;;) {
    const stored = await ctx.unlockBudgets.read(userId)
    const now = ctx.clock.now()
    const version = stored?.version ?? 0
    const decision = decideTry(stored?.budget ?? emptyBudget(now), pinTry, now)
    switch (decision.verdict) {
      case 'refuse':
        return decision
      case 'wait':
        if (decision.reservation) await ctx.unlockBudgets.reserve(userId, version, decision.reservation)
        await wait(Math.max(0, decision.lookAgainAt.getTime() - ctx.clock.nowMs()))
        break
      case 'compare':
        if (await ctx.unlockBudgets.write(userId, version, decision.ifWrong))
          return { ...decision, version: version + 1 }
        await wait(retryMs)
    }
  }
}
