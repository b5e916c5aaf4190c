import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'

const dayMs = 86_400_000

/** Removes the texts attached to reports that were closed long enough ago. */
export async function pruneReports(
  ctx: Pick<Context, 'reports'>,
  now: Date,
  stopping?: AbortSignal,
): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs)
  await ctx.reports.forgetTexts(before(limits.closedReportTextDays), stopping)
  // Replicas of the previous release run beside this one for less than a day.
  await ctx.reports.forgetUnsealed(before(1), stopping)
}
