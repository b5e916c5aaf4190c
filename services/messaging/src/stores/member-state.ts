import { collectionOf } from '@sumlock/service-kit/collection-of'
import type { ClientSession, Connection } from 'mongoose'
import { memberKey, otherKey } from '../domain/member.ts'
import type { MemberRecord, Timer } from '../domain/member.ts'
import { changedState, changing } from './member-changes.ts'

/** The person `personId` begins this conversation. */
export interface BegunConversation {
  conversationId: string
  personId: string
  otherId: string
  createdAt: Date
  /** The other member has to accept the conversation first. */
  isRequest: boolean
}

type Pair = Pick<MemberRecord, 'personId' | 'otherId' | 'conversationId'>

type OwnField = ['isMuted', true | null] | ['nickname', string | null] | ['timer', Timer]

/** Begins conversations and changes their state for members: mute, block, accept, read. */
export function createMemberState(connection: Connection) {
  const rows = collectionOf<MemberRecord>(connection, 'members')
  const keyOf = ({ personId, conversationId }: Pair) => memberKey(personId, conversationId)

  return {
    /** Throws the driver's duplicate key error when the two people already have a conversation. */
    insert: async (begun: BegunConversation, session: ClientSession): Promise<void> => {
      const { conversationId } = begun
      const inserts = firstRows(begun)
      const updates = inserts.map((row) => ({
        updateOne: {
          filter: { _id: memberKey(row.personId, conversationId) },
          update: { $setOnInsert: row, $currentDate: { changedAt: true, stateChangedAt: true } as const },
          upsert: true,
        },
      }))
      await rows.bulkWrite(updates, { session })
    },

    /** Sets a field of this member's row; null removes it. */
    setOwn: async (row: Pair, [name, value]: OwnField, session: ClientSession): Promise<void> => {
      const update = value === null ? changing({}, name) : changing({ [name]: value })
      await rows.updateOne({ _id: keyOf(row) }, update, { session })
    },

    /** Turns a request into a conversation, and lists the conversation even if this member had deleted it. */
    accept: async (row: Pair, session?: ClientSession): Promise<void> => {
      const update = changing(changedState, 'isRequest', 'isDeleted')
      await rows.updateOne({ _id: keyOf(row) }, update, session && { session })
    },

    /**
     * Blocks or unblocks the other member, who must not notice it. The other row therefore keeps `code`, the user code of
     * this member when the block began; a second block does not change it.
     */
    setBlocked: async (
      row: Pair,
      { isBlocked, code }: { isBlocked: boolean; code: string },
      session: ClientSession,
    ): Promise<void> => {
      const own = isBlocked ? changing({ isBlocked, ...changedState }) : changing(changedState, 'isBlocked')
      await rows.updateOne({ _id: keyOf(row) }, own, { session })
      const other = { _id: otherKey(row) }
      if (isBlocked)
        await rows.updateOne(
          { ...other, otherCode: { $exists: false } },
          { $set: { otherCode: code } },
          { session },
        )
      else await rows.updateOne(other, { $unset: { otherCode: '' } }, { session })
    },

    /**
     * Moves the read mark forward, and its copy in the other row unless this reading is withheld. What was withheld stays
     * so when the call is repeated. A crash may leave the own row behind until the reader's client repeats the call.
     */
    moveRead: async (
      row: Pair,
      { seq, isWithheld }: { seq: number; isWithheld: boolean },
    ): Promise<{ isOwnMoved: boolean; isCopyMoved: boolean }> => {
      const moves = async (...[filter, update]: Parameters<typeof rows.updateOne>) =>
        (await rows.updateOne(filter, update)).modifiedCount > 0
      const other = { _id: otherKey(row) }
      const $currentDate = { changedAt: true } as const
      // Without a date the other member's client is not told that the row has changed.
      if (isWithheld) await rows.updateOne(other, { $max: { withheldReadSeq: seq } })
      const isCopyMoved =
        !isWithheld &&
        (await moves(
          { ...other, otherReadSeq: { $lt: seq }, withheldReadSeq: { $not: { $gte: seq } } },
          { $set: { otherReadSeq: seq }, $currentDate },
        ))
      const isOwnMoved = await moves(
        { _id: keyOf(row), readSeq: { $lt: seq } },
        { $set: { readSeq: seq }, $currentDate },
      )
      return { isOwnMoved, isCopyMoved }
    },
  }
}

/** The rows are sorted by person, so that two people who begin the same conversation at once collide at the first row. */
function firstRows({ conversationId, personId, otherId, createdAt, isRequest }: BegunConversation) {
  const fresh = {
    ...{ view: 1 as const, conversationId, createdAt, activeAt: createdAt },
    ...{ newestSeq: 0, readSeq: 0, otherReadSeq: 0, clearedSeq: 0 },
  }
  const asked = isRequest ? { isRequest: true as const, isListed: false } : { isListed: true }
  return [
    { ...fresh, personId, otherId, isListed: true },
    { ...fresh, personId: otherId, otherId: personId, ...asked },
  ].sort((left, right) => (left.personId < right.personId ? -1 : 1))
}
