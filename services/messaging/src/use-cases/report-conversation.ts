import { limits } from '@sumlock/contracts/limits'
import { utcDay } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { messageNotFound, tooManyReports } from '../domain/errors.ts'
import { asShownTo } from '../domain/vanishing.ts'
import type { AttachedText } from '../infrastructure/report-sealing.ts'
import { memberOf } from './member-of.ts'

export interface ReportInput {
  userId: string
  conversationId: string
  messageIds: readonly string[]
  /** The reporter attached these texts of some of the messages; the server cannot check them. */
  contents: readonly AttachedText[]
  note: string | undefined
}

/**
 * Stores a report about the other member with the ids of messages and the attached texts. The content of the stored
 * messages is not copied. The texts of messages that have vanished for the reporter or open once are dropped.
 */
export async function reportConversation(ctx: Context, input: ReportInput): Promise<void> {
  const { userId, conversationId, contents, note = '' } = input
  const { otherId, clearedSeq } = await memberOf(ctx, userId, conversationId)
  const messageIds = [...new Set(input.messageIds)]
  const found = await ctx.messages.byMessageIds(conversationId, messageIds)
  const shown = found.filter(({ seq }) => seq > clearedSeq)
  if (shown.length < messageIds.length) throw messageNotFound()
  const now = ctx.clock.now()
  const vanished = new Set(
    shown
      .filter((record) => record.isOnce || asShownTo(userId, record, now).isVanished)
      .map(({ messageId }) => messageId),
  )
  const attached = contents.filter(({ id }) => !vanished.has(id))
  const stored = await ctx.reports.add({
    reporterId: userId,
    reportedId: otherId,
    conversationId,
    messages: shown.map(({ messageId }) => ({ id: messageId })),
    note: note === '' ? null : note,
    createdAt: now,
    day: utcDay(now),
    ...(attached.length > 0 ? { sealFor: (id: string) => ctx.reportSealing.seal(attached, id) } : {}),
  })
  if (!stored) throw tooManyReports()
  ctx.logger.info({ ofDay: limits.reportsPerDay }, 'a conversation was reported')
}
