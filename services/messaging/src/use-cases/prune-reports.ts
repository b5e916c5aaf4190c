import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'

const dayMs = 86_400_000

/** Removes the texts attached to reports that were closed long enough ago. */
export async function pruneReports(
  ctx: Pick<Context, 'reports'>,
  now: Date,
  stopping?: AbortSignal,
): Promise<void> {
  const closedBefore = new Date(now.getTime() - limits.closedReportTextDays * dayMs)
  await ctx.reports.forgetTexts(closedBefore, stopping)
}
