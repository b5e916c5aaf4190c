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
export interface EditedContent {
  content: string
  sealed?: Sealed
  edit: Edit
}

/** A reaction that was taken back keeps its id and has no content. */
export interface Reaction {
  /** The person's client chose this id. */
  id: string
  content: string
  sealed?: Sealed
}

/** A person changes a message in one of these roles. */
export type Role = 'sender' | 'recipient'

export const roleOf = (personId: string, { senderId }: Pick<MessageRecord, 'senderId'>): Role =>
  senderId === personId ? 'sender' : 'recipient'

/** One member made these changes while the other had blocked that member, who alone is shown them. */
export interface OwnChanges {
  version: number
  edited?: EditedContent
  reaction?: Reaction
}

/** Returns a message as its sender or the other member is shown it. */
export function inEyesOf(personId: string, record: MessageRecord): MessageRecord {
  const role = roleOf(personId, record)
  const own = record.own?.[role]
  if (!own) return record
  return {
    ...record,
    ...own.edited,
    ...(own.reaction && { reactions: { ...record.reactions, [role]: own.reaction } }),
    version: Math.max(record.version ?? 0, own.version),
  }
}

/** Returns a message without all that it said. Its `seq`, sender and time stay. */
export function emptied(record: MessageRecord): MessageRecord {
  const { sealed: _sealed, edit: _edit, reactions: _reactions, own: _own, ...rest } = record
  const { vanishMs: _vanishMs, vanishAt: _vanishAt, isUnseen: _isUnseen, ...timeless } = rest
  const { isOnce: _isOnce, open: _open, isVanished: _isVanished, ...left } = timeless
  return { ...left, content: '', messageType: 'text', mediaUrl: null }
}

/** Returns a message that was taken back. */
export const unsent = (record: MessageRecord): MessageRecord => ({ ...emptied(record), isUnsent: true })

/** Both members have deleted the message, so neither of them is shown it. */
export const isDeletedByBoth = (record: MessageRecord): boolean =>
  isEmpty(record) && !record.isUnsent && !record.isVanished

/** A stored message always has content or media, until it is emptied. */
export const isEmpty = ({ content, mediaUrl }: Pick<MessageRecord, 'content' | 'mediaUrl'>): boolean =>
  content === '' && mediaUrl === null

/** Neither an edit nor a reaction can change a message that has nothing to show any more, or shows it once. */
export const isUnchangeable = ({
  isUnsent,
  isVanished,
  isOnce,
}: Pick<MessageRecord, 'isUnsent' | 'isVanished' | 'isOnce'>): boolean =>
  isUnsent === true || isVanished === true || isOnce === true

const actMs = limits.actHours * 3_600_000

export const isTooOld = ({ createdAt }: Pick<MessageRecord, 'createdAt'>, now: Date): boolean =>
  now.getTime() - createdAt.getTime() > actMs

/** A member who is not shown a message must not notice its changes. */
export const isShownTo = (
  member: Pick<MemberRecord, 'isListed' | 'clearedSeq'> | undefined,
  { seq, isHidden }: Pick<MessageRecord, 'seq' | 'isHidden'>,
): boolean => member?.isListed === true && !isHidden && seq > member.clearedSeq

/** The other member has blocked the one who changes the message, and keeps what it was. */
export const isOwnChange = (
  other: Pick<MemberRecord, 'isBlocked'> | undefined,
  { isHidden }: Pick<MessageRecord, 'isHidden'>,
): boolean => other?.isBlocked === true && !isHidden
