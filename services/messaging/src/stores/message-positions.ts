import type { mongo } from 'mongoose'
import { keysBetween, lastPossibleSeq, messageKey } from '../domain/message.ts'
import type { MessageRecord, Position } from '../domain/message.ts'

/** Reads the positions of conversations. A number of messages is the difference between the counts at two positions. */
export function createMessagePositions(database: mongo.Db, messages: mongo.Collection<MessageRecord>) {
  const newestOf = async (conversationId: string): Promise<Position | undefined> => {
    const [newest] = await messages
      .find(keysBetween(conversationId, 0, lastPossibleSeq + 1), {
        projection: { _id: 0, seq: 1, memberIds: 1, counts: 1 },
      })
      .sort({ _id: -1 })
      .limit(1)
      .toArray()
    return newest
  }

  return {
    /** Returns the position after the newest message; undefined before the first one. */
    positionOf: newestOf,

    /** Returns the highest seq of a conversation; 0 before its first message. */
    lastSeq: async (conversationId: string): Promise<number> => (await newestOf(conversationId))?.seq ?? 0,

    /** Returns the highest seq that each conversation had at a time; 0 before its first message. */
    lastSeqsAt: async (
      conversationIds: readonly string[],
      at: Date,
    ): Promise<{ id: string; seq: number }[]> => {
      if (conversationIds.length === 0) return []
      const isIn = { $and: [{ $gt: ['$_id', '$$first'] }, { $lte: ['$_id', '$$last'] }] }
      const rows = await database
        .aggregate<{ _id: string; newest: [{ seq: number }?] }>([
          {
            $documents: conversationIds.map((_id) => ({
              _id,
              first: messageKey(_id, 0),
              last: messageKey(_id, lastPossibleSeq),
            })),
          },
          {
            $lookup: {
              from: messages.collectionName,
              let: { first: '$first', last: '$last' },
              pipeline: [
                { $match: { createdAt: { $lte: at }, $expr: isIn } },
                { $sort: { _id: -1 } },
                { $limit: 1 },
                { $project: { seq: 1 } },
              ],
              as: 'newest',
            },
          },
        ])
        .toArray()
      return rows.map(({ _id, newest: [newest] }) => ({ id: _id, seq: newest?.seq ?? 0 }))
    },
  }
}
