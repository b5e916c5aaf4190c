import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { MessageRecord, Position } from '../domain/message.ts'
import type { SlotRecord } from '../domain/slot.ts'
import { createGroupCommit } from '../infrastructure/group-commit.ts'
import type { RunInsert } from '../infrastructure/group-commit.ts'

const indexes: { name: string; key: (record: MessageRecord) => string | undefined }[] = [
  { name: '_id_', key: (record) => record._id },
  {
    name: 'clientMessageId',
    key: ({ conversationId, senderId, clientMessageId }) =>
      `${conversationId}|${senderId}|${clientMessageId}`,
  },
]

export interface FakeCollection {
  runInsert: RunInsert
  readonly records: MessageRecord[]
  /** The records that majority reads see; fewer than `records` while the majority lags behind. */
  visible: () => readonly MessageRecord[]
  /** Runs before each command is applied; may throw, or wait. */
  before: (records: readonly MessageRecord[]) => Promise<void> | void
  /** Runs after each command was applied and before it is answered. */
  after: (records: readonly MessageRecord[]) => Promise<void>
}

/** The messages collection in memory, with its unique indexes and MongoDB's answer for a duplicate. */
export function createFakeCollection(): FakeCollection {
  const records: MessageRecord[] = []
  const fake: FakeCollection = {
    records,
    visible: () => records,
    before: () => wait(Math.random() * 3),
    after: () => wait(Math.random() * 3),
    async runInsert({ documents: batch }) {
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
      return writeErrors.length > 0 ? { writeErrors } : {}
    },
  }
  return fake
}

/** The slots collection in memory. */
export function createFakeSlots() {
  const rows = new Map<string, SlotRecord>()
  return {
    rows,
    async insert(slot: SlotRecord) {
      await wait(Math.random() * 3)
      if (rows.has(slot._id)) return false
      rows.set(slot._id, slot)
      return true
    },
    async replace(read: SlotRecord, slot: SlotRecord) {
      await turn()
      if (!isDeepStrictEqual(rows.get(slot._id), read)) return false
      rows.set(slot._id, slot)
      return true
    },
    async byIds(ids: readonly string[]) {
      await turn()
      return ids.flatMap((id) => rows.get(id) ?? [])
    },
  }
}

/** The view of one process on the collection. */
export const messagesOf = (collection: FakeCollection) => ({
  insert: createGroupCommit(collection.runInsert).insert,
  async positionOf(conversationId: string): Promise<Position | undefined> {
    await turn()
    const own = collection.visible().filter((record) => record.conversationId === conversationId)
    return own.toSorted((left, right) => left.seq - right.seq).at(-1)
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
})
