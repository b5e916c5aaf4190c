/**
 * A conversation from one person's view. The row is the person's only access to it, and contains everything that a list
 * shows.
 */
export interface MemberRecord {
  /** See `memberKey`. */
  _id: string
  personId: string
  view: 1
  conversationId: string
  otherId: string
  /** When the conversation began. */
  createdAt: Date
  /** Sorts the list: the time of the newest message that this member is shown, or else `createdAt`. */
  activeAt: Date
  /** The last change that this member sees, by the database's clock. */
  changedAt: Date
  /** Computed in every update from the marks and `newestSeq`, so that updates may come in any order. */
  isListed: boolean
  /** The newest message that this member is shown; 0 before the first. */
  newestSeq: number
  readSeq: number
  /** The read mark of the other member, so that a list reads own rows only. */
  otherReadSeq: number
  /** Messages up to this seq are deleted for this member. */
  clearedSeq: number
  /** The conversation was deleted for this member: it is listed again from the next message on. */
  isDeleted?: true
  isMuted?: true
  /** The other member began it, and this one has not accepted it. */
  isRequest?: true
  /** This member has blocked the other. */
  isBlocked?: true
  /** The other's code on the day when the other blocked this member; absent without a block. */
  otherCode?: string
  /** The reset of the app that last cleared it. */
  resetAt?: Date
  /** The last change that matters to sends, by the database's clock. */
  stateChangedAt: Date
  /** This member has deleted messages, and whether both have is not checked yet. */
  isEmptyingDue?: true
  /** Messages up to this seq, which both members have deleted, are empty; absent before the first was emptied. */
  emptiedSeq?: number
}

/** The part of a row that sends and other calls about a conversation need. */
export type RememberedMember = Pick<
  MemberRecord,
  'personId' | 'conversationId' | 'otherId' | 'isBlocked' | 'isRequest'
>

/** The middle part leaves room for other views of one conversation. */
export const memberKey = (personId: string, conversationId: string): string =>
  `${personId}|1|${conversationId}`

export const otherKey = ({
  otherId,
  conversationId,
}: Pick<MemberRecord, 'otherId' | 'conversationId'>): string => memberKey(otherId, conversationId)

/** Both members; the same for either. */
export const pairOf = ({
  personId,
  otherId,
}: Pick<MemberRecord, 'personId' | 'otherId'>): [string, string] =>
  personId < otherId ? [personId, otherId] : [otherId, personId]

/** A place in the order of a list: by time, then by id, both descending. */
export interface ListCursor {
  activeAt: Date
  id: string
}

/** Parses the cursor that a client makes of `activeAt` and `id` of a row. */
export function toCursor(text: string): ListCursor {
  const [ms, id = ''] = text.split('_')
  return { activeAt: new Date(Number(ms)), id }
}

export const byLatest = (left: MemberRecord, right: MemberRecord): number =>
  right.activeAt.getTime() - left.activeAt.getTime() || (right._id < left._id ? -1 : 1)

/** The seq up to which this member has read or deleted the messages. */
export const readUpTo = ({ readSeq, clearedSeq }: MemberRecord): number => Math.max(readSeq, clearedSeq)

export const memberIndexes = [
  // guard: one-per-pair
  { key: { personId: 1, view: 1, otherId: 1 }, name: 'other', unique: true },
  { key: { personId: 1, view: 1, isListed: 1, activeAt: -1, _id: -1 }, name: 'listed' },
  { key: { personId: 1, view: 1, changedAt: 1 }, name: 'changes' },
  { key: { stateChangedAt: 1 }, name: 'stateChanges' },
  {
    key: { isEmptyingDue: 1 },
    name: 'isEmptyingDue',
    partialFilterExpression: { isEmptyingDue: true },
  },
] as const
