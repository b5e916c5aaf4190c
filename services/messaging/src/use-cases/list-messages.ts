import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Context } from '../context.ts'
import { toMessageFor } from '../domain/message.ts'
import { memberOf } from './member-of.ts'

export interface ListMessagesInput {
  userId: string
  conversationId: string
  after?: number | undefined
  before?: number | undefined
  changedSince?: number | undefined
  limit: number
}

/**
 * Returns a page of history, ascending by seq, or of the changed messages, ascending by version; both without the messages
 * that the caller has deleted.
 */
export async function listMessages(ctx: Context, input: ListMessagesInput): Promise<Message[]> {
  const own = await memberOf(ctx, input.userId, input.conversationId)
  const { clearedSeq } = own
  const now = ctx.clock.now()
  const { after, before, changedSince, limit, conversationId } = input
  if (changedSince !== undefined)
    return (await ctx.messages.changedSince(own, changedSince, limit)).map((record) =>
      toMessageFor(own, record, now),
    )
  const page = await ctx.messages.page({
    conversationId,
    limit,
    before,
    after: after === undefined ? undefined : Math.max(after, clearedSeq),
  })
  return (
    page
      // guard: cleared-is-gone
      .filter((record) => record.seq > clearedSeq)
      .map((record) => toMessageFor(own, record, now))
  )
}
