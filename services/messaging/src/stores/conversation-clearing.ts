import type { ClientSession, mongo } from 'mongoose'
import type { ConversationRecord } from '../domain/conversation.ts'
import { changedFor } from './conversation-changes.ts'

/** A conversation, and up to where a reset clears it. */
export interface ClearedConversation {
  id: string
  seq: number
}

/** What members delete for themselves. Each write also notes that what both have deleted is to be emptied. */
export function createConversationClearing(collection: mongo.Collection<ConversationRecord>) {
  const deletion = (userId: string, seq: number, more: object = {}) => {
    const own = `members.${userId}`
    return {
      $max: { [`${own}.clearedBeforeSeq`]: seq },
      $set: { [`${own}.isDeleted`]: true, isEmptyingDue: true as const, ...more },
      ...changedFor(userId),
    }
  }
  /** Not cleared by this reset yet. */
  const open = (userId: string, resetAt: Date) => ({ [`members.${userId}.resetAt`]: { $ne: resetAt } })

  return {
    /** Deletes the messages up to `seq` and the conversation for one member; false when the caller is none. */
    deleteFor: async (id: string, userId: string, seq: number, session: ClientSession) => {
      const filter = { _id: id, memberIds: userId }
      return (await collection.updateOne(filter, deletion(userId, seq), { session })).matchedCount === 1
    },

    /** Conversations of a person, begun at this time or earlier, that a reset has still to clear. */
    idsToClear: async (userId: string, resetAt: Date, begunUntil: Date, count: number): Promise<string[]> => {
      const filter = { memberIds: userId, createdAt: { $lte: begunUntil }, ...open(userId, resetAt) }
      const rows = await collection
        .find(filter, { projection: { _id: 1 } })
        .limit(count)
        .toArray()
      return rows.map(({ _id }) => _id)
    },

    /** Deletes conversations for one member; does nothing where the reset has done so before. */
    clearForReset: async (userId: string, resetAt: Date, cleared: readonly ClearedConversation[]) => {
      const updates = cleared.map(({ id, seq }) => ({
        updateOne: {
          filter: { _id: id, ...open(userId, resetAt) },
          update: deletion(userId, seq, { [`members.${userId}.resetAt`]: resetAt }),
        },
      }))
      if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false })
    },

    /** Conversations in which a member has deleted messages since they were last looked at. */
    dueToEmpty: (count: number): Promise<ConversationRecord[]> =>
      collection.find({ isEmptyingDue: true }).limit(count).toArray(),

    /** Does nothing where a member has deleted messages since the conversation was read. */
    settleEmptying: async (read: readonly ConversationRecord[]) => {
      const updates = read.map(({ _id, members }) => {
        const unchanged = Object.entries(members).map(([userId, { clearedBeforeSeq }]) => [
          `members.${userId}.clearedBeforeSeq`,
          clearedBeforeSeq,
        ])
        const filter = { _id, ...(Object.fromEntries(unchanged) as object) }
        return { updateOne: { filter, update: { $unset: { isEmptyingDue: '' as const } } } }
      })
      if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false })
    },

    /** Notes that the messages up to `seq` are empty. */
    markEmptied: async (id: string, seq: number) => {
      await collection.updateOne({ _id: id }, { $max: { emptiedUpTo: seq } })
    },

    /** Forgets what the last release copied of messages up to `seq`; a late copy does not come back. */
    forgetLast: async ({ _id, memberIds }: ConversationRecord, seq: number) => {
      const hidden = memberIds.map((memberId) => [`members.${memberId}.lastHidden`, ''])
      await collection.updateOne(
        { _id, lastSeq: { $lte: seq } },
        {
          $set: { lastSeq: seq, lastMessage: null },
          $unset: Object.fromEntries(hidden) as Record<string, ''>,
        },
      )
    },
  }
}
