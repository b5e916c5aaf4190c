import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ConversationRecord } from './conversation.ts'
import { otherOf } from './conversation.ts'

export interface MessageRecord {
  /** `<conversationId>:<seq, ten digits>`: order, density and history in one index. */
  _id: string
  messageId: string
  conversationId: string
  senderId: string
  /** Both members, so that the sweeper can publish without a second read. */
  memberIds: string[]
  seq: number
  clientMessageId: string
  content: string
  messageType: Message['messageType']
  mediaUrl: string | null
  createdAt: Date
  /** Present until Kafka has acknowledged the message, which is its own outbox. */
  unpublished?: true
  /** `<senderId>|<UTC day>`, only on the message that spends the free slot of that day. */
  slot?: string
  /** The recipient had blocked the sender: a tombstone to the recipient, also after unblocking. */
  isHidden?: true
}

const seqDigits = 10

export const messageKey = (conversationId: string, seq: number): string =>
  // guard: dense-order
  `${conversationId}:${String(seq).padStart(seqDigits, '0')}`

export const slotOf = (senderId: string, day: string): string => `${senderId}|${day}`

/** The message as it was stored: not read yet. */
export const toMessage = (record: MessageRecord, isRead = false): Message => ({
  id: record.messageId,
  conversationId: record.conversationId,
  senderId: record.senderId,
  seq: record.seq,
  content: record.content,
  messageType: record.messageType,
  mediaUrl: record.mediaUrl,
  isRead,
  createdAt: record.createdAt.toISOString(),
  clientMessageId: record.clientMessageId,
})

/** A message as a member is shown it. */
export function toMessageFor(
  viewerId: string,
  record: MessageRecord,
  conversation: ConversationRecord,
): Message {
  // guard: blocked-is-hidden
  if (record.isHidden && record.senderId !== viewerId) return { ...toMessage(record, true), ...tombstone }
  return toMessage(record, isReadFor(record, viewerId, conversation))
}

const tombstone = { content: '', messageType: 'text', mediaUrl: null } as const

/** Whether a message was read by its recipient: the other member for own messages, the viewer for received ones. */
export function isReadFor(
  record: Pick<MessageRecord, 'senderId' | 'seq'>,
  viewerId: string,
  conversation: ConversationRecord,
): boolean {
  const readerId = record.senderId === viewerId ? otherOf(conversation.memberIds, viewerId) : viewerId
  return (conversation.members[readerId]?.lastReadSeq ?? 0) >= record.seq
}
