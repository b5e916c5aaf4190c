import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { pairOf } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'
import { advance, messageKey } from '../domain/message.ts'
import { insertAt, isBlocked, lastPosition } from './store-message.ts'

/**
 * Stores an empty message under the id of one that is not stored. It takes the next seq, counts as no message and moves no
 * row. Resolves with false when a message has this id already.
 */
export function storeEmptied(ctx: Context, own: MemberRecord, clientMessageId: string): Promise<boolean> {
  const { conversationId, otherId, personId: senderId } = own
  return ctx.sending.run(conversationId, async () => {
    const startedMs = performance.now()
    while (performance.now() - startedMs < ctx.timeouts.storeMs) {
      const last = await lastPosition(ctx, { conversationId, memberIds: pairOf(own) })
      const kind = {
        isUnsent: true as const,
        isUnstored: true as const,
        ...((await isBlocked(ctx, { otherId, conversationId })) && { isHidden: true as const }),
      }
      const { seq, memberIds, counts } = advance(last, { senderId, ...kind })
      const record = {
        ...{ _id: messageKey(conversationId, seq), messageId: randomUUID(), conversationId, senderId },
        ...{ memberIds: [...memberIds], seq, clientMessageId, content: '', messageType: 'text' as const },
        ...{ mediaUrl: null, createdAt: ctx.clock.now(), counts, ...kind },
      }
      const refusedBy = await insertAt(ctx, record, { seq, memberIds, counts }, undefined)
      if (refusedBy !== '_id') return refusedBy === undefined
    }
    return false
  })
}
