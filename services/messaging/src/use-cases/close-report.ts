import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { reportNotFound } from '../domain/errors.ts'
import { idOfReport } from '../domain/report-name.ts'

/**
 * Closes a report and records the administrator, in one transaction. A report that was closed before keeps its time, on
 * which the removal of its texts depends.
 */
export async function closeReport(
  ctx: Context,
  { reportId, adminId }: { reportId: string; adminId: string },
): Promise<void> {
  const now = ctx.clock.now()
  await transact(ctx.connection, async (session) => {
    const report = await ctx.reports.close(idOfReport(reportId), now, session)
    if (!report) throw reportNotFound()
    const personIds = [report.reporterId, report.reportedId]
    await ctx.adminActions.add({ adminId, action: 'report-closed', personIds }, now, session)
  })
}
