import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { decideTry, emptyBudget } from '../domain/unlock-budget.ts'
import type { PinTry, TryDecision } from '../domain/unlock-budget.ts'

type Refused = Extract<TryDecision, { verdict: 'refuse' }>
type Compared = Extract<TryDecision, { verdict: 'compare' }> & { isRight: boolean }

const retryMs = 10

/** Waits for the turn of the try, compares, and stores the outcome before it returns; refuses a try that is not allowed. */
export async function settlePinTry(
  ctx: Pick<Context, 'clock' | 'unlockBudgets'>,
  userId: string,
  pinTry: PinTry,
  compare: () => boolean,
): Promise<Compared | Refused> {
  for (;;) {
    const stored = await ctx.unlockBudgets.read(userId)
    const now = ctx.clock.now()
    const version = stored?.version ?? 0
    const decision = decideTry(stored?.budget ?? emptyBudget(now), pinTry, now)
    if (decision.verdict === 'refuse') return decision
    if (decision.verdict === 'wait') {
      if (decision.reservation) await ctx.unlockBudgets.reserve(userId, version, decision.reservation)
      await wait(Math.max(0, decision.lookAgainAt.getTime() - ctx.clock.nowMs()))
      continue
    }
    const isRight = compare()
    const outcome = isRight ? decision.ifRight : decision.ifWrong
    // If another try has changed the budget first, this one is decided again.
    if (await ctx.unlockBudgets.write(userId, version, outcome)) return { ...decision, isRight }
    await wait(retryMs)
  }
}
