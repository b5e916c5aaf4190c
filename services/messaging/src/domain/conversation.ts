import type { Sealed } from '@sumlock/contracts/sealed'

/** The state of a conversation for one member. */
export interface MemberState {
  /** Highest seq this member has read. */
  lastReadSeq: number
  /** Messages up to this seq are deleted for this member. */
  clearedBeforeSeq: number
  /** The conversation was deleted for this member: it is listed again from the next message on. */
  isDeleted?: boolean
  /** The reset of the app that last cleared it. */
  resetAt?: Date
  isMuted?: boolean
  /** The other member began it, and this one has not accepted it. */
  isRequest?: boolean
  /** When something that only this member sees was last changed, by the database's clock. */
  changedAt?: Date
}

export interface LastMessage {
  content: string
  messageType: 'text' | 'image' | 'video' | 'voice'
  senderId: string
  seq: number
  /** What a client needs to open sealed content. */
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

export interface ConversationRecord {
  _id: string
  /** Both ids, sorted: one conversation per pair. */
  pair: string
  memberIds: [string, string]
  members: Record<string, MemberState>
  createdAt: Date
  /** A member has deleted messages, and it was not looked yet whether both have. */
  isEmptyingDue?: boolean
  /** Messages up to this seq, which both members have deleted, are empty; absent before the first was emptied. */
  emptiedUpTo?: number
  /** Sorts the lists of both members: the time of the newest message, up to two seconds late, or else `createdAt`. */
  lastMessageAt: Date | null
  /** When anything was last changed, for either member. */
  changedAt?: Date
  /** When a message or a read mark, which both members see, last changed it. */
  changedForBothAt?: Date
  /** Only the last release reads these two. */
  lastSeq: number
  lastMessage: null
}

/** Whether a member sees the conversation in the list; a request only from its first message on. */
export function isListedFor({ members }: ConversationRecord, userId: string, lastSeq: number): boolean {
  const own = members[userId]
  return !own || (!own.isDeleted && !own.isRequest) || lastSeq > own.clearedBeforeSeq
}

/** Whether what this member sees has changed. A change that only the other one sees does not count. */
export function isChangedFor(record: ConversationRecord, userId: string, since: Date): boolean {
  const { changedForBothAt, members } = record
  const dates = [cursorOf(record).activeAt, changedForBothAt, members[userId]?.changedAt]
  return dates.some((date) => date !== undefined && date >= since)
}

/** A place in the order of a list: by time, then by id, both descending. */
export interface ListCursor {
  activeAt: Date
  id: string
}

export const cursorOf = ({ _id: id, lastMessageAt, createdAt }: ConversationRecord): ListCursor => ({
  activeAt: lastMessageAt ?? createdAt,
  id,
})

/** Reads what the client made of `activeAt` and `id` of a row. */
export function toCursor(text: string): ListCursor {
  const [ms, id = ''] = text.split('_')
  return { activeAt: new Date(Number(ms)), id }
}

export function byLatest(left: ConversationRecord, right: ConversationRecord): number {
  const [one, other] = [cursorOf(left), cursorOf(right)]
  return other.activeAt.getTime() - one.activeAt.getTime() || (other.id < one.id ? -1 : 1)
}

/** Up to where both members have deleted the messages. */
export const clearedForBoth = ({ members }: Pick<ConversationRecord, 'members'>): number =>
  Math.min(...Object.values(members).map(({ clearedBeforeSeq }) => clearedBeforeSeq))

export const freshMember: Readonly<MemberState> = { lastReadSeq: 0, clearedBeforeSeq: 0 }

export const pairOf = (left: string, right: string): string => [left, right].sort().join(':')

export const otherOf = (memberIds: readonly string[], userId: string): string =>
  memberIds.find((id) => id !== userId) ?? userId
