import { collectionOf } from '@sumlock/service-kit/collection-of'
import type { Connection, mongo } from 'mongoose'
import type { MessageName } from '../domain/media.ts'
import { keysBetween, lastPossibleSeq } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { createGroupCommit } from '../infrastructure/group-commit.ts'
import type { CommitObserver } from '../infrastructure/group-commit.ts'
import { createMessageActs } from './message-acts.ts'
import { createMessageErasure } from './message-erasure.ts'
import { createMessageOpenings } from './message-openings.ts'
import { createMessagePositions } from './message-positions.ts'
import { createMessagePublication } from './message-publication.ts'
import { createMessageVanishing } from './message-vanishing.ts'

export interface HistoryPage {
  conversationId: string
  /** Both bounds are exclusive. */
  after?: number | undefined
  before?: number | undefined
  limit: number
}

export type MessageStore = ReturnType<typeof createMessageStore>

/**
 * Reads and writes use the driver's collection directly, because every send passes here. The driver need not retry a write:
 * the client sends a message again under the same key, and the callers repeat every other write until it succeeds.
 */
export function createMessageStore(connection: Connection, observer: CommitObserver) {
  const collection = collectionOf<MessageRecord>(connection, 'messages')
  const range = keysBetween
  const end = lastPossibleSeq + 1
  const database = connection.db as mongo.Db
  // A plain command is faster than `insertMany`, which computes the size of each message and wraps it in further objects.
  const commit = createGroupCommit(
    (command) => database.command({ insert: collection.collectionName, ...command }),
    observer,
  )

  return {
    insert: commit.insert,
    ...createMessagePositions(database, collection),
    ...createMessageErasure(collection),
    ...createMessageActs(collection),
    ...createMessagePublication(collection),
    ...createMessageVanishing(collection),
    ...createMessageOpenings(collection),

    /** Returns the messages with these keys, by key. */
    byKeys: async (keys: readonly string[]): Promise<Map<string, MessageRecord>> => {
      const found = await collection.find({ _id: { $in: [...keys] } }).toArray()
      return new Map(found.map((record) => [record._id, record]))
    },

    /** Returns the counts of the messages with these keys, by key. */
    countsAt: async (keys: readonly string[]): Promise<Map<string, MessageRecord['counts']>> => {
      const found = await collection
        .find({ _id: { $in: [...keys] } }, { projection: { counts: 1 } })
        .toArray()
      return new Map(found.map(({ _id, counts }) => [_id, counts]))
    },

    /** Returns the messages after `after` or, without it, the newest messages before `before`, ascending by seq. */
    async page({ conversationId, after, before = end, limit }: HistoryPage): Promise<MessageRecord[]> {
      const filter = range(conversationId, after ?? 0, before)
      if (after !== undefined) return collection.find(filter).sort({ _id: 1 }).limit(limit).toArray()
      return (await collection.find(filter).sort({ _id: -1 }).limit(limit).toArray()).reverse()
    },

    byClientMessageId: (conversationId: string, senderId: string, clientMessageId: string) =>
      collection.findOne({ conversationId, senderId, clientMessageId }),

    byNames: async (names: readonly MessageName[]): Promise<MessageRecord[]> => {
      if (names.length === 0) return []
      const $or = names.map(({ conversationId, senderId, clientMessageId }) => ({
        conversationId,
        senderId,
        clientMessageId,
      }))
      return collection.find({ $or }).toArray()
    },

    /** Returns the given messages that are in the conversation. */
    byMessageIds: (conversationId: string, messageIds: readonly string[]) =>
      collection.find({ conversationId, messageId: { $in: [...messageIds] } }).toArray(),
  }
}
