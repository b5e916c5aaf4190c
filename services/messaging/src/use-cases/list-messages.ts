import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Context } from '../context.ts'
import { conversationNotFound } from '../domain/errors.ts'
import { toMessageFor } from '../domain/message.ts'

export interface ListMessagesInput {
  userId: string
  conversationId: string
  after?: number | undefined
  before?: number | undefined
  limit: number
}

/** A page of history, ascending by seq, without the messages that the caller cleared. */
export async function listMessages(ctx: Context, input: ListMessagesInput): Promise<Message[]> {
  const conversation = await ctx.conversations.byId(input.conversationId)
  // guard: members-read
  if (!conversation?.memberIds.includes(input.userId)) throw conversationNotFound()
  const cleared = conversation.members[input.userId]?.clearedBeforeSeq ?? 0
  const { after, before, limit, conversationId } = input
  const page = await ctx.messages.page({
    conversationId,
    limit,
    before,
    after: after === undefined ? undefined : Math.max(after, cleared),
  })
  return (
    page
      // guard: cleared-is-gone
      .filter((record) => record.seq > cleared)
      .map((record) => toMessageFor(input.userId, record, conversation))
  )
}
