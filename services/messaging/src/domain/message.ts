import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Sealed } from '@sumlock/contracts/sealed'
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
  /** The content was sealed by the sender's client, with these keys. */
  sealed?: Sealed
  /** Present until Kafka has acknowledged the message, which is its own outbox. */
  unpublished?: true
  /** The key of the free slot that the message spends. Only the last release writes it. */
  slot?: string
  /** The recipient had blocked the sender: a tombstone to the recipient, also after unblocking. */
  isHidden?: true
  /** See `Position`. Absent in messages that the last release stored since the migration. */
  counts?: Position['counts']
  /** Only on a hidden message; see `Position`. */
  shown?: Position['shown']
}

/** The fields of a message that move its conversation up. */
export type StoredMessage = Pick<MessageRecord, 'conversationId' | 'seq' | 'createdAt' | 'isHidden'>

/** Where a conversation stands after a message. */
export interface Position {
  seq: number
  /** How many messages each member has sent so far, in the order of `memberIds`, without hidden ones. */
  counts: readonly [number, number]
  /** After a hidden message: the seq of the newest message that each member is shown; 0 before the first. */
  shown?: readonly [number, number]
}

/** The position after one more message. */
export function advance(
  { seq, counts, shown = [seq, seq] }: Position,
  {
    memberIds,
    senderId,
    isHidden,
  }: Pick<MessageRecord, 'senderId' | 'isHidden'> & { memberIds: readonly string[] },
): Position {
  const [first, second] = counts
  const sender = memberIds.indexOf(senderId)
  if (isHidden) {
    const [one, other] = shown
    return { seq: seq + 1, counts, shown: sender === 0 ? [seq + 1, other] : [one, seq + 1] }
  }
  return { seq: seq + 1, counts: [first + Number(sender === 0), second + Number(sender === 1)] }
}

const seqDigits = 10
export const lastPossibleSeq = 9_999_999_998

export const messageKey = (conversationId: string, seq: number): string =>
  `${conversationId}:${String(seq).padStart(seqDigits, '0')}`

/** Selects the messages of a conversation with a seq between two exclusive bounds. */
export const keysBetween = (conversationId: string, after: number, before: number) => ({
  _id: { $gt: messageKey(conversationId, after), $lt: messageKey(conversationId, before) },
})

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
  ...(record.sealed ? { sealed: record.sealed } : {}),
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

const tombstone = { content: '', messageType: 'text', mediaUrl: null, sealed: undefined } as const

/** Whether a message was read by its recipient: the other member for own messages, the viewer for received ones. */
export function isReadFor(
  record: Pick<MessageRecord, 'senderId' | 'seq'>,
  viewerId: string,
  conversation: ConversationRecord,
): boolean {
  const readerId = record.senderId === viewerId ? otherOf(conversation.memberIds, viewerId) : viewerId
  return (conversation.members[readerId]?.lastReadSeq ?? 0) >= record.seq
}
