import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { MessageRecord } from '../domain/message.ts'
import { createGroupCommit } from '../infrastructure/group-commit.ts'
import type { InsertMany } from '../infrastructure/group-commit.ts'

const indexes: { name: string; key: (record: MessageRecord) => string | undefined }[] = [
  { name: '_id_', key: (record) => record._id },
  {
    name: 'clientMessageId',
    key: ({ conversationId, senderId, clientMessageId }) =>
      `${conversationId}|${senderId}|${clientMessageId}`,
  },
  { name: 'slot', key: ({ slot }) => slot },
]

export interface FakeCollection extends InsertMany {
  readonly records: MessageRecord[]
  /** The records that majority reads see; fewer than `records` while the majority lags behind. */
  visible: () => readonly MessageRecord[]
  /** Runs before each command is applied; may throw, or wait. */
  before: (records: readonly MessageRecord[]) => Promise<void> | void
  /** Runs after each command was applied and before it is answered. */
  after: (records: readonly MessageRecord[]) => Promise<void>
}

/** The messages collection in memory, with its unique indexes and the driver's error for a duplicate. */
export function createFakeCollection(): FakeCollection {
  const records: MessageRecord[] = []
  const fake: FakeCollection = {
    records,
    visible: () => records,
    before: () => wait(Math.random() * 3),
    after: () => wait(Math.random() * 3),
    async insertMany(batch) {
      await fake.before(batch)
      const writeErrors = batch.flatMap((record, index) => {
        const refusedBy = indexes.find(({ key }) => {
          const value = key(record)
          return value !== undefined && records.some((other) => key(other) === value)
        })
        if (!refusedBy) records.push(record)
        return refusedBy
          ? [{ index, code: 11000, errmsg: `E11000 index: ${refusedBy.name} dup key: {}` }]
          : []
      })
      await fake.after(batch)
      if (writeErrors.length > 0) throw Object.assign(new Error('bulk write failed'), { writeErrors })
      return {}
    },
  }
  return fake
}

/** The view of one process on the collection. */
export const messagesOf = (collection: FakeCollection) => ({
  insert: createGroupCommit(collection).insert,
  async lastSeq(conversationId: string) {
    await turn()
    const seqs = collection.visible().filter((record) => record.conversationId === conversationId)
    return Math.max(0, ...seqs.map(({ seq }) => seq))
  },
  byClientMessageId: (conversationId: string, senderId: string, clientMessageId: string) =>
    Promise.resolve(
      collection
        .visible()
        .find(
          (record) =>
            record.conversationId === conversationId &&
            record.senderId === senderId &&
            record.clientMessageId === clientMessageId,
        ) ?? null,
    ),
  bySlot: (slot: string) =>
    Promise.resolve(collection.visible().find((record) => record.slot === slot) ?? null),
})
