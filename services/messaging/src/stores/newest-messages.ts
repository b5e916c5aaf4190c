import type { mongo } from 'mongoose'
import { lastPossibleSeq, messageKey } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'

/** A conversation, and up to where a member has read it. */
export interface ReadPosition {
  conversationId: string
  readUpTo: number
}

export interface NewestMessage {
  newest: MessageRecord
  /** The message at the read mark; none before the first. */
  read: Pick<MessageRecord, 'counts'> | undefined
}

/**
 * The newest message of each conversation, hidden or not, and the message at the read mark, by conversation. One command
 * seeks both for all rows of a page by their keys.
 */
export async function newestMessages(
  database: mongo.Db,
  positions: readonly ReadPosition[],
): Promise<Map<string, NewestMessage>> {
  if (positions.length === 0) return new Map()
  const rows = await database
    .aggregate<{ _id: string; newest: [MessageRecord?]; read: [Pick<MessageRecord, 'counts'>?] }>([
      {
        $documents: positions.map(({ conversationId, readUpTo }) => ({
          _id: conversationId,
          first: messageKey(conversationId, 0),
          last: messageKey(conversationId, lastPossibleSeq),
          mark: messageKey(conversationId, readUpTo),
        })),
      },
      {
        $lookup: {
          from: 'messages',
          let: { first: '$first', last: '$last' },
          pipeline: [
            {
              $match: { $expr: { $and: [{ $gt: ['$_id', '$$first'] }, { $lte: ['$_id', '$$last'] }] } },
            },
            { $sort: { _id: -1 } },
            { $limit: 1 },
          ],
          as: 'newest',
        },
      },
      {
        $lookup: {
          from: 'messages',
          localField: 'mark',
          foreignField: '_id',
          pipeline: [{ $project: { counts: 1 } }],
          as: 'read',
        },
      },
    ])
    .toArray()
  return new Map(
    rows.flatMap(({ _id, newest: [newest], read: [read] }) => (newest ? [[_id, { newest, read }]] : [])),
  )
}

/** The seq of the newest message that each conversation had at a time; 0 before the first. */
export async function lastSeqsAt(
  database: mongo.Db,
  conversationIds: readonly string[],
  at: Date,
): Promise<{ id: string; seq: number }[]> {
  if (conversationIds.length === 0) return []
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
          from: 'messages',
          let: { first: '$first', last: '$last' },
          pipeline: [
            {
              $match: {
                createdAt: { $lte: at },
                $expr: { $and: [{ $gt: ['$_id', '$$first'] }, { $lte: ['$_id', '$$last'] }] },
              },
            },
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
}
