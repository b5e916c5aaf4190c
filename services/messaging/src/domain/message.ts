import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Sealed } from '@sumlock/contracts/sealed'
import type { MemberRecord } from './member.ts'

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
  /** The recipient had blocked the sender: a tombstone to the recipient, even after unblocking. */
  isHidden?: true
  /** See `Position`. */
  counts: Position['counts']
}

/** The fields of a message that move the rows of its members. */
export type StoredMessage = Pick<
  MessageRecord,
  '_id' | 'conversationId' | 'memberIds' | 'senderId' | 'seq' | 'createdAt' | 'isHidden'
>

export interface LastMessage {
  content: string
  messageType: Message['messageType']
  senderId: string
  seq: number
  /** The fields with which a client opens sealed content. */
  clientMessageId: string
  mediaUrl?: string | null
  sealed?: Sealed
}

export const lastMessageOf = ({
  content,
  messageType,
  senderId,
  seq,
  clientMessageId,
  mediaUrl,
  sealed,
}: LastMessage): LastMessage => ({
  content,
  messageType,
  senderId,
  seq,
  clientMessageId,
  ...(mediaUrl ? { mediaUrl } : {}),
  ...(sealed ? { sealed } : {}),
})

/** The counters of a conversation after a message. */
export interface Position {
  seq: number
  /** The members in the order of the first message, which all later messages keep. */
  memberIds: readonly string[]
  /** The messages that each member has sent so far, in the order of `memberIds`, without hidden ones. */
  counts: readonly [number, number]
}

export const beforeFirst = (memberIds: readonly string[]): Position => ({ seq: 0, memberIds, counts: [0, 0] })

/** The position after one more message. */
export function advance(
  { seq, memberIds, counts: [first, second] }: Position,
  { senderId, isHidden }: Pick<MessageRecord, 'senderId' | 'isHidden'>,
): Position {
  const sender = isHidden ? -1 : memberIds.indexOf(senderId)
  const counts = [first + Number(sender === 0), second + Number(sender === 1)] as const
  return { seq: seq + 1, memberIds, counts }
}

/** The members that are shown a message. */
export const shownTo = ({ memberIds, senderId, isHidden }: StoredMessage): readonly string[] =>
  isHidden ? [senderId] : memberIds

const seqDigits = 10
export const lastPossibleSeq = 9_999_999_998

export const messageKey = (conversationId: string, seq: number): string =>
  `${conversationId}:${String(seq).padStart(seqDigits, '0')}`

/** Selects the messages of a conversation with a seq between two exclusive bounds. */
export const keysBetween = (conversationId: string, after: number, before: number) => ({
  _id: { $gt: messageKey(conversationId, after), $lt: messageKey(conversationId, before) },
})

/** The message as it was stored, unread. */
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
export function toMessageFor(viewer: MemberRecord, record: MessageRecord): Message {
  // guard: blocked-is-hidden
  if (record.isHidden && record.senderId !== viewer.personId)
    return { ...toMessage(record, true), ...tombstone }
  return toMessage(record, isReadFor(viewer, record))
}

const tombstone = { content: '', messageType: 'text', mediaUrl: null, sealed: undefined } as const

/** Whether a message was read by its recipient: the other member for own messages, the viewer for received ones. */
export const isReadFor = (
  { personId, readSeq, otherReadSeq }: MemberRecord,
  { senderId, seq }: Pick<MessageRecord, 'senderId' | 'seq'>,
): boolean => (senderId === personId ? otherReadSeq : readSeq) >= seq
