import type { Conversation, Message } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
import type { Sealed } from '@sumlock/contracts/sealed'
import type { Edit, OwnChanges, Reaction, Role } from './act.ts'
import type { MemberRecord } from './member.ts'
import type { Opening } from './once.ts'
import { asShownTo, endShownTo } from './vanishing.ts'

export interface MessageRecord {
  /**
   * The key is `<conversationId>:<seq, ten digits>`. Its unique index gives each seq to one message and also serves the
   * history in order.
   */
  _id: string
  messageId: string
  conversationId: string
  senderId: string
  /** The sweep publishes the message to both of these members without reading another row. */
  memberIds: string[]
  seq: number
  clientMessageId: string
  content: string
  messageType: Message['messageType']
  mediaUrl: string | null
  createdAt: Date
  /** The sender's client sealed the content with these keys. */
  sealed?: Sealed
  /** The field is present until Kafka has acknowledged the message. The sweep publishes messages that still have it. */
  unpublished?: true
  /** The recipient had blocked the sender and is shown an empty message instead, even after unblocking. */
  isHidden?: true
  /** `Position` explains these counts. */
  counts: Position['counts']
  /** The last change of the message was this change of its conversation. The field is absent before the first one. */
  version?: number
  edit?: Edit
  /** The sender took the message back. */
  isUnsent?: true
  /** The message was taken back before it was stored, so it counts as none and has spent no free slot. */
  isUnstored?: true
  /** The message vanishes this long after `createdAt` for its sender, and this long after it was read for its recipient. */
  vanishMs?: VanishMs
  /** The message vanishes for its recipient, and is emptied, at this time. */
  vanishAt?: Date
  /** The recipient has not read the message, so `vanishAt` is the end of the time in which it can be read. */
  isUnseen?: true
  /** The time of the message was over for both members. */
  isVanished?: true
  /** The recipient can open the file once. Nothing of the message is shown to its sender. */
  isOnce?: true
  open?: Opening
  reactions?: Partial<Record<Role, Reaction>>
  own?: Partial<Record<Role, OwnChanges>>
}

/** A new message updates the rows of its members with these fields. */
export type StoredMessage = Pick<
  MessageRecord,
  '_id' | 'conversationId' | 'memberIds' | 'senderId' | 'seq' | 'createdAt' | 'isHidden'
>

type Preview = NonNullable<Conversation['lastMessage']>

/** Returns what a list shows of a conversation's newest message. */
export function toPreview(viewer: MemberRecord, record: MessageRecord, now: Date): Preview {
  const shown = asShownTo(viewer.personId, record, now)
  const { content, messageType, senderId, seq, clientMessageId, mediaUrl, sealed } = shown
  return {
    ...{ content, messageType, senderId, seq, clientMessageId },
    ...(mediaUrl ? { mediaUrl } : {}),
    ...(sealed ? { sealed } : {}),
    ...changesIn(shown),
    ...endShownTo(viewer.personId, shown),
    isRead: isReadFor(viewer, record),
  }
}

/** Each message continues these counters of its conversation. */
export interface Position {
  seq: number
  /** All messages of a conversation list the members in the order of its first message. */
  memberIds: readonly string[]
  /** Each member has sent this many messages so far, in the order of `memberIds`, without hidden and unstored messages. */
  counts: readonly [number, number]
}

export const beforeFirst = (memberIds: readonly string[]): Position => ({ seq: 0, memberIds, counts: [0, 0] })

/** Returns the position after one more message. */
export function advance(
  { seq, memberIds, counts: [first, second] }: Position,
  { senderId, isHidden, isUnstored }: Pick<MessageRecord, 'senderId' | 'isHidden' | 'isUnstored'>,
): Position {
  const sender = isHidden || isUnstored ? -1 : memberIds.indexOf(senderId)
  const counts = [first + Number(sender === 0), second + Number(sender === 1)] as const
  return { seq: seq + 1, memberIds, counts }
}

/** A hidden message is shown to its sender only. */
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

/** Returns the message as it was stored, whatever a member may see of it. */
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
  ...(record.version === undefined ? {} : { version: record.version }),
  ...(record.reactions ? { reactions: listed(record, record.reactions) } : {}),
  ...changesIn(record),
})

const listed = (
  { senderId, memberIds }: MessageRecord,
  { sender, recipient }: NonNullable<MessageRecord['reactions']>,
): NonNullable<Message['reactions']> => [
  ...(sender ? [{ by: senderId, ...sender }] : []),
  ...(recipient ? [{ by: memberIds.find((id) => id !== senderId) ?? senderId, ...recipient }] : []),
]

const changesIn = ({ edit, isUnsent, isUnstored, vanishMs, isVanished, isOnce, open }: MessageRecord) => ({
  ...(edit ? { edit: { id: edit.id, at: edit.at.toISOString() } } : {}),
  ...(isUnsent ? { isUnsent } : {}),
  ...(isUnstored ? { isUnstored } : {}),
  ...(vanishMs ? { vanishMs } : {}),
  ...(isVanished ? { isVanished } : {}),
  ...(isOnce ? { isOnce } : {}),
  ...(open ? { isOpened: true as const } : {}),
})

/** Returns the message in the form in which this member is shown it at a time. */
export function toMessageFor(viewer: MemberRecord, record: MessageRecord, now: Date): Message {
  // guard: blocked-is-hidden
  if (record.isHidden && record.senderId !== viewer.personId)
    return { ...toMessage(record, true), ...tombstone }
  const shown = asShownTo(viewer.personId, record, now)
  return { ...toMessage(shown, isReadFor(viewer, record)), ...endShownTo(viewer.personId, shown) }
}

/** The member must not notice either how the sender changes the message, or that it vanishes or opens once. */
const tombstone = {
  content: '',
  messageType: 'text',
  mediaUrl: null,
  sealed: undefined,
  version: undefined,
  edit: undefined,
  reactions: undefined,
  isUnsent: undefined,
  isUnstored: undefined,
  vanishMs: undefined,
  isVanished: undefined,
  isOnce: undefined,
} as const

/**
 * Returns whether the recipient has read a message. The recipient of an own message is the other member, and of a received
 * one this member.
 */
export const isReadFor = (
  { personId, readSeq, otherReadSeq }: MemberRecord,
  { senderId, seq }: Pick<MessageRecord, 'senderId' | 'seq'>,
): boolean => (senderId === personId ? otherReadSeq : readSeq) >= seq
