import { collectionOf } from '@sumlock/service-kit/collection-of'
import type { ClientSession, Connection } from 'mongoose'
import { memberKey, otherKey } from '../domain/member.ts'
import type { MemberRecord } from '../domain/member.ts'
import { changing } from './member-changes.ts'

/** A reset clears the messages of this conversation up to `seq`. */
export interface ClearedConversation {
  id: string
  seq: number
}

/**
 * Deletes messages for one member alone. Each write also marks the row, because messages that both members have deleted
 * must be emptied.
 */
export function createMemberClearing(connection: Connection) {
  const rows = collectionOf<MemberRecord>(connection, 'members')
  const deletion = (seq: number, more: object = {}) =>
    changing(
      {
        ...{ clearedSeq: { $max: ['$clearedSeq', seq] }, isDeleted: true, isEmptyingDue: true },
        ...more,
      },
      'nickname',
    )
  /** Selects rows that this reset has not cleared yet. */
  const open = (resetAt: Date) => ({ resetAt: { $ne: resetAt } })

  return {
    /** Deletes the messages up to `seq` and the conversation for one member. */
    deleteFor: async ({ _id }: MemberRecord, seq: number, session: ClientSession): Promise<void> => {
      await rows.updateOne({ _id }, deletion(seq), { session })
    },

    /**
     * Returns at most `count` conversations that began at `begunUntil` or earlier and that the reset has not cleared yet.
     */
    idsToClear: async (
      personId: string,
      resetAt: Date,
      begunUntil: Date,
      count: number,
    ): Promise<string[]> => {
      const filter = { personId, view: 1, createdAt: { $lte: begunUntil }, ...open(resetAt) } as const
      const found = await rows
        .find(filter, { projection: { conversationId: 1 } })
        .limit(count)
        .toArray()
      return found.map(({ conversationId }) => conversationId)
    },

    /** Deletes conversations for one member. Conversations that this reset has already cleared stay as they are. */
    clearForReset: async (
      personId: string,
      resetAt: Date,
      cleared: readonly ClearedConversation[],
    ): Promise<void> => {
      const updates = cleared.map(({ id, seq }) => ({
        updateOne: {
          filter: { _id: memberKey(personId, id), ...open(resetAt) },
          update: deletion(seq, { resetAt }),
        },
      }))
      if (updates.length > 0) await rows.bulkWrite(updates, { ordered: false })
    },

    /** Returns rows in which messages were deleted since the last check for emptying. */
    dueToEmpty: (count: number): Promise<MemberRecord[]> =>
      rows.find({ isEmptyingDue: true }).limit(count).toArray(),

    /**
     * Removes the mark of rows that were checked, except where the member has deleted more messages since the row was read.
     */
    settleEmptying: async (read: readonly MemberRecord[]): Promise<void> => {
      const updates = read.map(({ _id, clearedSeq }) => ({
        updateOne: { filter: { _id, clearedSeq }, update: { $unset: { isEmptyingDue: '' as const } } },
      }))
      if (updates.length > 0) await rows.bulkWrite(updates, { ordered: false })
    },

    /** Records in both rows that the messages up to `seq` are empty. */
    markEmptied: async (row: MemberRecord, seq: number): Promise<void> => {
      await rows.updateMany({ _id: { $in: [row._id, otherKey(row)] } }, { $max: { emptiedSeq: seq } })
    },
  }
}
