import { limits } from '@sumlock/contracts/limits'
import type { Sealed } from '@sumlock/contracts/sealed'
import type { MemberRecord } from './member.ts'
import type { MessageRecord } from './message.ts'

/** The present content of a message comes from this edit. */
export interface Edit {
  /** The sender's client chose this id. */
  id: string
  at: Date
  /** The message was edited this many times. */
  count: number
}

/** These fields replace those of the message. */
export interface OwnEdit {
  content: string
  sealed?: Sealed
  edit: Edit
  version: number
}

/** Returns a message as its sender or the other member is shown it. */
export const inEyesOf = (personId: string, record: MessageRecord): MessageRecord =>
  record.ownEdit && record.senderId === personId ? { ...record, ...record.ownEdit } : record

/** Returns a message that was taken back. Its `seq`, sender and time stay. */
export function unsent(record: MessageRecord): MessageRecord {
  const { sealed: _sealed, edit: _edit, ownEdit: _ownEdit, ...rest } = record
  return { ...rest, content: '', messageType: 'text', mediaUrl: null, isUnsent: true }
}

/** A stored message always has content or media, until it is emptied. */
export const isEmpty = ({ content, mediaUrl }: Pick<MessageRecord, 'content' | 'mediaUrl'>): boolean =>
  content === '' && mediaUrl === null

const actMs = limits.actHours * 3_600_000

export const isTooOld = ({ createdAt }: Pick<MessageRecord, 'createdAt'>, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > actMs

/** A member who is not shown a message must not notice its changes. */
export const isShownTo = (
  member: Pick<MemberRecord, 'isListed' | 'clearedSeq'> | undefined,
  { seq, isHidden }: Pick<MessageRecord, 'seq' | 'isHidden'>,
): boolean => member?.isListed === true && !isHidden && seq > member.clearedSeq

/** The recipient has blocked the sender since the message, so the recipient keeps the present content. */
export const isOwnEdit = (
  other: Pick<MemberRecord, 'isBlocked'> | undefined,
  { isHidden }: Pick<MessageRecord, 'isHidden'>,
): boolean => other?.isBlocked === true && !isHidden
