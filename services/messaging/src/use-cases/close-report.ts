import type { Context } from '../context.ts'
import { reportNotFound } from '../domain/errors.ts'
import { idOfReport } from '../domain/report-name.ts'

/** Closes a report; one that is closed keeps its time, on which the removal of its texts depends. */
export async function closeReport(ctx: Context, { reportId }: { reportId: string }): Promise<void> {
  if (!(await ctx.reports.close(idOfReport(reportId), ctx.clock.now()))) throw reportNotFound()
}
