import { limits } from '@sumlock/contracts/limits'
import { utcDay } from '@sumlock/service-kit/clock'
import type { Context } from '../context.ts'
import { otherOf } from '../domain/conversation.ts'
import { conversationNotFound, messageNotFound, tooManyReports } from '../domain/errors.ts'
import { toMessageFor } from '../domain/message.ts'

export interface ReportInput {
  userId: string
  conversationId: string
  messageIds: readonly string[]
  withContent: boolean
  note: string | undefined
}

/** Stores a report about the other member: the ids of messages, and what they say only if the reporter adds it. */
export async function reportConversation(ctx: Context, input: ReportInput): Promise<void> {
  const { userId, conversationId, withContent, note = '' } = input
  const conversation = await ctx.conversations.byId(conversationId)
  if (!conversation?.memberIds.includes(userId)) throw conversationNotFound()
  const messageIds = [...new Set(input.messageIds)]
  const cleared = conversation.members[userId]?.clearedBeforeSeq ?? 0
  const found = await ctx.messages.byMessageIds(conversationId, messageIds)
  const shown = found.filter(({ seq }) => seq > cleared)
  if (shown.length < messageIds.length) throw messageNotFound()
  const now = ctx.clock.now()
  const stored = await ctx.reports.add({
    reporterId: userId,
    reportedId: otherOf(conversation.memberIds, userId),
    conversationId,
    messages: shown.map((record) => {
      const { id, content } = toMessageFor(userId, record, conversation)
      return withContent ? { id, content } : { id }
    }),
    note: note === '' ? null : note,
    createdAt: now,
    day: utcDay(now),
  })
  if (!stored) throw tooManyReports()
  ctx.logger.info({ ofDay: limits.reportsPerDay }, 'a conversation was reported')
}
