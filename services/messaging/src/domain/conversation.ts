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
  /** A fold over the messages, updated shortly after them. */
  lastSeq: number
  lastMessage: LastMessage | null
  lastMessageAt: Date | null
}

/** Whether a member sees the conversation in the list. */
export const isListedFor = ({ isDeleted, clearedBeforeSeq }: MemberState, lastSeq: number): boolean =>
  isDeleted !== true || lastSeq > clearedBeforeSeq

export const pairOf = (left: string, right: string): string => [left, right].sort().join(':')

export const otherOf = (memberIds: readonly string[], userId: string): string =>
  memberIds.find((id) => id !== userId) ?? userId
