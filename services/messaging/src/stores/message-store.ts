import { randomUUID } from 'node:crypto'
import { unpublishedIn } from '@sumlock/service-kit/backlog-metrics'
import { Schema } from 'mongoose'
import type { Connection, mongo } from 'mongoose'
import { messageKey } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { createGroupCommit } from '../infrastructure/group-commit.ts'
import type { CommitObserver } from '../infrastructure/group-commit.ts'

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

const erasedAtOnce = 500

export type MessageStore = ReturnType<typeof createMessageStore>

/** Messages. Reads and writes go to the driver's collection: this is the hot path. */
export function createMessageStore(connection: Connection, observer: CommitObserver) {
  const collection = connection.model('Message', schema)
    .collection as unknown as mongo.Collection<MessageRecord>
  const range = (conversationId: string, after: number, before: number) => ({
    _id: { $gt: messageKey(conversationId, after), $lt: messageKey(conversationId, before) },
  })
  const end = 9_999_999_999
  const commit = createGroupCommit(
    { insertMany: (records, options) => collection.insertMany(records, options) },
    observer,
  )

  return {
    insert: commit.insert,

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

    byClientMessageId: (conversationId: string, senderId: string, clientMessageId: string) =>
      collection.findOne({ conversationId, senderId, clientMessageId }),

    bySlot: (slot: string) => collection.findOne({ slot }, { projection: { createdAt: 1 } }),

    /** Those of these slots that are spent. */
    spentSlots: async (slots: readonly string[]): Promise<Set<string>> => {
      const rows = await collection.find({ slot: { $in: [...slots] } }, { projection: { slot: 1 } }).toArray()
      return new Set(rows.flatMap(({ slot }) => slot ?? []))
    },

    /** The newest unpublished message of each conversation that a member is shown; the fold may not contain it yet. */
    async newestUnpublished(
      conversationIds: readonly string[],
      viewerId: string,
    ): Promise<Map<string, MessageRecord>> {
      if (conversationIds.length === 0) return new Map()
      const found = await collection
        .aggregate<{ newest: MessageRecord }>([
          {
            $match: {
              unpublished: true,
              conversationId: { $in: [...conversationIds] },
              $or: [{ isHidden: { $exists: false } }, { senderId: viewerId }],
            },
          },
          { $sort: { conversationId: -1, seq: -1 } },
          { $group: { _id: '$conversationId', newest: { $first: '$$ROOT' } } },
        ])
        .toArray()
      return new Map(found.map(({ newest }) => [newest.conversationId, newest]))
    },

    /** Number of messages of a sender after a seq that the recipient is shown; counting stops at 100. */
    countFrom: (conversationId: string, senderId: string, seq: number) =>
      collection.countDocuments(
        { ...range(conversationId, seq, end), senderId, isHidden: { $exists: false } },
        { limit: 100 },
      ),

    /** Those of these messages that are in the conversation. */
    byMessageIds: (conversationId: string, messageIds: readonly string[]) =>
      collection
        .find({ ...range(conversationId, 0, end), messageId: { $in: [...messageIds] } })
        .limit(messageIds.length)
        .toArray(),

    unpublishedBefore: (limit: Date, count: number) =>
      collection
        .find({ unpublished: true, createdAt: { $lte: limit } })
        .sort({ createdAt: 1 })
        .limit(count)
        .toArray(),

    /** The backlog of messages that Kafka has not acknowledged. */
    unpublished: (countedTo: number) => unpublishedIn(collection, { unpublished: true }, countedTo),

    /** Empties what a person wrote in a conversation. The rows keep their `seq`, and nothing that names the person. */
    async eraseSender(conversationId: string, senderId: string): Promise<void> {
      for (;;) {
        const found = await collection
          .find({ conversationId, senderId }, { projection: { _id: 1 } })
          .limit(erasedAtOnce)
          .toArray()
        if (found.length === 0) return
        await collection.bulkWrite(
          found.map(({ _id }) => {
            const ids = { senderId: randomUUID(), clientMessageId: randomUUID() }
            const $set = { ...ids, content: '', messageType: 'text' as const, mediaUrl: null }
            return { updateOne: { filter: { _id }, update: { $set, $unset: { slot: '' } } } }
          }),
          { ordered: false, writeConcern: { w: 'majority' } },
        )
      }
    },

    /** Gives all messages of a conversation another id in place of a member's. */
    async replaceMember(conversationId: string, memberId: string, standIn: string): Promise<void> {
      await collection.updateMany(
        { ...range(conversationId, 0, end), memberIds: memberId },
        { $set: { 'memberIds.$[member]': standIn } },
        { arrayFilters: [{ member: memberId }], writeConcern: { w: 'majority' } },
      )
    },

    /** Keeps the rows as tombstones: `seq` continues from the newest. No side can see them, so none is published any more. */
    async empty(conversationId: string, upToSeq: number): Promise<void> {
      await collection.updateMany(
        { ...range(conversationId, 0, upToSeq + 1), content: { $ne: '' } },
        { $set: { content: '', mediaUrl: null }, $unset: { unpublished: '' } },
      )
    },

    async markPublished(keys: readonly string[]): Promise<void> {
      await collection.updateMany({ _id: { $in: [...keys] } }, { $unset: { unpublished: '' } })
    },
  }
}
