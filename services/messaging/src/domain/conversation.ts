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
  /** The newest message of this member that the other one, who blocked the conversation, is not shown. */
  lastHidden?: Omit<LastMessage, 'senderId'> & { createdAt: Date }
}

export interface LastMessage {
  content: string
  messageType: 'text' | 'image' | 'video' | 'voice'
  senderId: string
  seq: number
}

export interface ConversationRecord {
  _id: string
  /** Both ids, sorted: one conversation per pair. */
  pair: string
  memberIds: [string, string]
  members: Record<string, MemberState>
  createdAt: Date
  /** A member has deleted messages since what both deleted was last emptied. */
  isEmptyingDue?: boolean
  /** A fold over the messages that both members are shown, updated shortly after them. */
  lastSeq: number
  lastMessage: LastMessage | null
  lastMessageAt: Date | null
}

export type Newest = Pick<ConversationRecord, 'lastSeq' | 'lastMessage' | 'lastMessageAt'>

/** The newest message of the fold that a member is shown. */
export function newestFor(record: ConversationRecord, userId: string): Newest {
  const hidden = record.members[userId]?.lastHidden
  if (!hidden || hidden.seq <= record.lastSeq) return record
  const { createdAt, ...message } = hidden
  return { lastSeq: hidden.seq, lastMessage: { ...message, senderId: userId }, lastMessageAt: createdAt }
}

/** Whether a member sees the conversation in the list; a request only from its first message on. */
export const isListedFor = (
  { isDeleted, isRequest, clearedBeforeSeq }: MemberState,
  lastSeq: number,
): boolean => (!isDeleted && !isRequest) || lastSeq > clearedBeforeSeq

export const freshMember: Readonly<MemberState> = { lastReadSeq: 0, clearedBeforeSeq: 0 }

export const pairOf = (left: string, right: string): string => [left, right].sort().join(':')

export const otherOf = (memberIds: readonly string[], userId: string): string =>
  memberIds.find((id) => id !== userId) ?? userId
