import type { Report } from '@sumlock/contracts/conversation-state-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Context } from '../context.ts'
import { nameOfReport } from '../domain/report-name.ts'
import type { ReportRow } from '../stores/report-store.ts'

/**
 * Returns open reports, then closed ones, with the present names of both people and the attached texts. The administrator's
 * access is recorded before the answer.
 */
export async function listReports(ctx: Context, { adminId }: { adminId: string }): Promise<Report[]> {
  const open = await ctx.reports.newestOpen(limits.listedReports)
  const left = limits.listedReports - open.length
  const rows = left > 0 ? [...open, ...(await ctx.reports.lastClosed(left))] : open
  const ids = [...new Set(rows.flatMap(({ reporterId, reportedId }) => [reporterId, reportedId]))]
  await ctx.adminActions.add({ adminId, action: 'reports-listed', personIds: ids }, ctx.clock.now())
  const people = await ctx.findPeople(ids)
  const usernameOf = (userId: string) => people.get(userId)?.username ?? 'Unknown User'
  return rows.map((row) => ({
    id: nameOfReport(row._id),
    reportedBy: usernameOf(row.reporterId),
    reported: usernameOf(row.reportedId),
    reportedUserId: row.reportedId,
    conversationId: row.conversationId,
    messages: messagesOf(ctx, row),
    note: row.note,
    createdAt: row.createdAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
  }))
}

/** Leaves out texts that cannot be opened, because one lost key must not hide all reports. */
function messagesOf(ctx: Context, { _id, messages, texts }: ReportRow): Report['messages'] {
  const ids = messages.map(({ id }) => ({ id }))
  if (!texts) return ids
  try {
    const attached = new Map(ctx.reportSealing.open(texts, _id).map(({ id, text }) => [id, text]))
    return ids.map(({ id }) => {
      const text = attached.get(id)
      return text === undefined ? { id } : { id, text }
    })
  } catch (error) {
    ctx.logger.error({ err: error }, 'the texts attached to a report could not be opened')
    return ids
  }
}
