import { unpublishedIn } from '@sumlock/service-kit/backlog-metrics'
import { Schema } from 'mongoose'
import type { Connection, mongo } from 'mongoose'
import type { MessageName } from '../domain/media.ts'
import { keysBetween, lastPossibleSeq, messageKey } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { createGroupCommit } from '../infrastructure/group-commit.ts'
import type { CommitObserver } from '../infrastructure/group-commit.ts'
import { createMessageErasure } from './message-erasure.ts'
import { createMessagePositions } from './message-positions.ts'
import { lastSeqsAt, newestMessages } from './newest-messages.ts'
import type { NewestMessage, ReadPosition } from './newest-messages.ts'

const schema = new Schema<MessageRecord>(
  {
    _id: String,
    messageId: { type: String, required: true },
    conversationId: { type: String, required: true },
    senderId: { type: String, required: true },
    memberIds: { type: [String], required: true },
    seq: { type: Number, required: true },
    clientMessageId: { type: String, required: true },
    content: { type: String },
    messageType: { type: String, required: true },
    mediaUrl: { type: String, default: null },
    createdAt: { type: Date, required: true },
    unpublished: Boolean,
    slot: String,
    isHidden: Boolean,
    counts: { type: [Number], default: undefined },
    shown: { type: [Number], default: undefined },
    sealed: { type: Object },
  },
  { collection: 'messages', versionKey: false },
)

export interface HistoryPage {
  conversationId: string
  /** Exclusive bounds. */
  after?: number | undefined
  before?: number | undefined
  limit: number
}

export type MessageStore = ReturnType<typeof createMessageStore>

/**
 * Messages. Reads and writes go to the driver's collection: this is the hot path. The driver need not retry a write: the client
 * sends a message again under the same key, and the callers repeat every other write until it succeeds.
 */
export function createMessageStore(connection: Connection, observer: CommitObserver) {
  const collection = connection.model('Message', schema)
    .collection as unknown as mongo.Collection<MessageRecord>
  const range = keysBetween
  const end = lastPossibleSeq + 1
  const positions = createMessagePositions(collection)
  const database = connection.db as mongo.Db
  // A plain command: `insertMany` computes the size of each message first, and wraps each in objects of its own.
  const commit = createGroupCommit(
    (command) => database.command({ insert: collection.collectionName, ...command }),
    observer,
  )

  return {
    insert: commit.insert,
    ...positions,
    ...createMessageErasure(collection),

    /** The newest message of each conversation that this member is shown, and the message at the read mark. */
    async newestFor(viewerId: string, rows: readonly ReadPosition[]): Promise<Map<string, NewestMessage>> {
      const found = await newestMessages(database, rows)
      for (const [id, row] of found) {
        const { isHidden, senderId, memberIds } = row.newest
        if (!isHidden || senderId === viewerId) continue
        const { shown = [0, 0] } = row.newest.shown ? row.newest : await positions.positionAt(id)
        const seq = shown[memberIds[0] === viewerId ? 0 : 1]
        const newest = await collection.findOne({ _id: messageKey(id, seq) })
        if (newest) found.set(id, { ...row, newest })
        else found.delete(id)
      }
      return found
    },

    /** Ascending by seq: the messages after `after`, or else the newest before `before`. */
    async page({ conversationId, after, before = end, limit }: HistoryPage): Promise<MessageRecord[]> {
      const filter = range(conversationId, after ?? 0, before)
      if (after !== undefined) return collection.find(filter).sort({ _id: 1 }).limit(limit).toArray()
      return (await collection.find(filter).sort({ _id: -1 }).limit(limit).toArray()).reverse()
    },

    /** Highest seq of a conversation; 0 when it is empty. */
    async lastSeq(conversationId: string): Promise<number> {
      const filter = range(conversationId, 0, end)
      const [last] = await collection
        .find(filter, { projection: { seq: 1 } })
        .sort({ _id: -1 })
        .limit(1)
        .toArray()
      return last?.seq ?? 0
    },

    lastSeqsAt: (conversationIds: readonly string[], at: Date) => lastSeqsAt(database, conversationIds, at),

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

    /** The message of the last release that spends this slot. */
    bySlot: (slot: string) =>
      collection.findOne({ slot }, { projection: { conversationId: 1, clientMessageId: 1 } }),

    /** When the newest message came, by conversation, of a person's messages that are unpublished and not older than this. */
    async unpublishedSince(memberId: string, since: Date): Promise<Map<string, Date>> {
      const rows = await collection
        .find(
          { unpublished: true, createdAt: { $gte: since }, memberIds: memberId },
          { projection: { conversationId: 1, createdAt: 1 } },
        )
        .sort({ createdAt: 1 })
        .toArray()
      return new Map(rows.map(({ conversationId, createdAt }) => [conversationId, createdAt]))
    },

    /** Those of these messages that are in the conversation. */
    byMessageIds: (conversationId: string, messageIds: readonly string[]) =>
      collection.find({ conversationId, messageId: { $in: [...messageIds] } }).toArray(),

    unpublishedBefore: (limit: Date, count: number) =>
      collection
        .find({ unpublished: true, createdAt: { $lte: limit } })
        .sort({ createdAt: 1 })
        .limit(count)
        .toArray(),

    /** The backlog of messages that Kafka has not acknowledged. */
    unpublished: (countedTo: number) => unpublishedIn(collection, { unpublished: true }, countedTo),

    /** A mark that is lost is made again after the sweep. */
    async markPublished(keys: readonly string[]): Promise<void> {
      const filter = { _id: { $in: [...keys] } }
      await collection.updateMany(
        filter,
        { $unset: { unpublished: '' } },
        { writeConcern: { w: 1, j: false } },
      )
    },
  }
}
