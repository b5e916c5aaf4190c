import type { Report } from '@sumlock/contracts/conversation-state-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'

/** The newest reports, with the present names of both people. */
export async function listReports(ctx: Context): Promise<Report[]> {
  const rows = await ctx.reports.newest(limits.listedReports)
  const ids = [...new Set(rows.flatMap(({ reporterId, reportedId }) => [reporterId, reportedId]))]
  const people = await ctx.findPeople(ids)
  const nameOf = (userId: string) => people.get(userId)?.username ?? 'Unknown User'
  return rows.map(({ reporterId, reportedId, conversationId, messages, note, createdAt }) => ({
    reportedBy: nameOf(reporterId),
    reported: nameOf(reportedId),
    reportedUserId: reportedId,
    conversationId,
    messages,
    note,
    createdAt: createdAt.toISOString(),
  }))
}
