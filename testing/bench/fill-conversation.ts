import { randomUUID } from 'node:crypto'
import type { Stack } from '@sumlock/dev/product/services'
import { withDatabase } from '../kit/database.ts'
import type { ConversationRecord } from '../../services/messaging/src/domain/conversation.ts'
import { messageKey } from '../../services/messaging/src/domain/message.ts'
import type { MessageRecord } from '../../services/messaging/src/domain/message.ts'

const batch = 5000
const millisecondsApart = 1000

/** Puts published messages into an empty conversation, past the service, and what the fold would say of them. */
export function fillConversation(stack: Stack, conversationId: string, count: number): Promise<void> {
  return withDatabase(stack, 'messaging', async (database) => {
    const conversations = database.collection<ConversationRecord>('conversations')
    const messages = database.collection<MessageRecord>('messages')
    const conversation = await conversations.findOne({ _id: conversationId })
    if (!conversation) throw new Error(`There is no conversation ${conversationId} to fill.`)
    const beganMs = Date.now() - count * millisecondsApart
    const at = (seq: number): MessageRecord => ({
      ...{ _id: messageKey(conversationId, seq), messageId: randomUUID(), conversationId, seq },
      senderId: conversation.memberIds[seq % 2] as string,
      memberIds: conversation.memberIds,
      clientMessageId: randomUUID(),
      content: `How are you today? (${seq})`,
      ...{ messageType: 'text', mediaUrl: null },
      createdAt: new Date(beganMs + seq * millisecondsApart),
    })
    for (let from = 1; from <= count; from += batch) {
      const length = Math.min(batch, count - from + 1)
      await messages.insertMany(
        Array.from({ length }, (_, index) => at(from + index)),
        { ordered: false },
      )
    }
    const { content, messageType, senderId, seq, createdAt } = at(count)
    await conversations.updateOne(
      { _id: conversationId },
      {
        $set: {
          lastSeq: count,
          lastMessage: { content, messageType, senderId, seq },
          lastMessageAt: createdAt,
        },
      },
    )
  })
}
