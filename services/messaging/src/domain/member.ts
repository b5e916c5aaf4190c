import type { VanishMs } from '@sumlock/contracts/primitives'

/** A row is one person's view of a conversation. A person without a row has no access to the conversation. */
export interface MemberRecord {
  /** `memberKey` builds this key. */
  _id: string
  personId: string
  view: 1
  conversationId: string
  otherId: string
  createdAt: Date
  /**
   * Lists are sorted by this field: the time of the newest message that this member is shown, or `createdAt` before the
   * first one.
   */
  activeAt: Date
  /** The row last changed visibly for this member at this time of the database's clock. */
  changedAt: Date
  /**
   * `changing` computes this field from `isDeleted`, `isRequest`, `clearedSeq` and `newestSeq`, so that updates may come in
   * any order.
   */
  isListed: boolean
  /** The newest message that this member is shown has this seq; the value is 0 before the first one. */
  newestSeq: number
  readSeq: number
  /**
   * This member is shown that the other one has read up to here: a copy of the other's `readSeq`, which moves only while
   * both members show what they have read.
   */
  otherReadSeq: number
  /** The other member has read up to here while one of the two did not show it. */
  withheldReadSeq?: number
  /** Messages up to this seq are deleted for this member. */
  clearedSeq: number
  /** This member has deleted the conversation, which is listed again after the next message. */
  isDeleted?: true
  isMuted?: true
  /** This member's client has sealed a name for the other member, which no service can read. */
  nickname?: string
  /** The other member began the conversation, and this member has not accepted it. */
  isRequest?: true
  /** This member has blocked the other member. */
  isBlocked?: true
  /**
   * The other member has blocked this one, who is still shown the other's user code from the time of the block. The field
   * is absent without a block.
   */
  otherCode?: string
  /** The conversation was last cleared by the reset of the app at this time. */
  resetAt?: Date
  /** A field that sends remember last changed at this time of the database's clock. */
  stateChangedAt: Date
  /** This member has deleted messages since the last check whether both members have deleted them. */
  isEmptyingDue?: true
  /** Messages up to this seq were emptied, because both members had deleted them. */
  emptiedSeq?: number
  /**
   * The messages of the conversation have changed this many times; both rows have the same number. A changed message keeps
   * the number of its last change.
   */
  version?: number
  /** This member is not shown the changes since then, and must not notice them. */
  shownVersion?: number
  timer?: Timer
}

/** The next messages of the conversation vanish after this time, unless their senders choose otherwise. */
export interface Timer {
  /** The client of the member who set the timer chose this id. */
  id: string
  /** The owner of the row set the timer, and otherwise the other member. */
  isMine: boolean
  /** Null when messages do not vanish. */
  vanishMs: VanishMs | null
  at: Date
  /** The timer was set after this message. */
  afterSeq: number
}

/** Only this part of a row is cached, because sends need no other fields. */
export type RememberedMember = Pick<
  MemberRecord,
  'personId' | 'conversationId' | 'otherId' | 'isBlocked' | 'isRequest'
>

/** The `1` in the middle is the row's `view`, which leaves room for other views of a conversation. */
export const memberKey = (personId: string, conversationId: string): string =>
  `${personId}|1|${conversationId}`

export const otherKey = ({
  otherId,
  conversationId,
}: Pick<MemberRecord, 'otherId' | 'conversationId'>): string => memberKey(otherId, conversationId)

/** Returns both members in the same order, whichever member's row is given. */
export const pairOf = ({
  personId,
  otherId,
}: Pick<MemberRecord, 'personId' | 'otherId'>): [string, string] =>
  personId < otherId ? [personId, otherId] : [otherId, personId]

/** A page continues after this position. Lists are sorted by time and then by id, both descending. */
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

/** Returns the number of changes of messages that this member may know of. */
export const versionShownTo = ({
  shownVersion,
  version = 0,
}: Pick<MemberRecord, 'shownVersion' | 'version'>): number => shownVersion ?? version

/** Returns the seq up to which this member has read or deleted the messages. */
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
