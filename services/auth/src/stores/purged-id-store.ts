import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'

interface PurgedId {
  _id: string
  purgedAt: Date
  /** When the other services were last told. */
  publishedAt: Date
}

const schema = new Schema<PurgedId>(
  { _id: String, purgedAt: { type: Date, required: true }, publishedAt: { type: Date, required: true } },
  { collection: 'purged_ids', versionKey: false },
)

/** The ids of deleted accounts, and nothing else about them. */
export function createPurgedIdStore(connection: Connection) {
  const model = connection.model('PurgedId', schema)
  return {
    insert: async (id: string, now: Date, session: ClientSession) => {
      await model.collection.insertOne({ _id: id, purgedAt: now, publishedAt: now } as never, { session })
    },
    /** Purged after `since` and last published before `before`. */
    toPublish: async (since: Date, before: Date, count: number): Promise<string[]> => {
      const due = { publishedAt: trusted({ $lte: before }), purgedAt: trusted({ $gt: since }) }
      const rows = await model.find(due, { _id: 1 }).limit(count).lean<{ _id: string }[]>().exec()
      return rows.map(({ _id }) => _id)
    },
    /** False when another process was faster. */
    markPublished: async (id: string, before: Date, now: Date, session: ClientSession): Promise<boolean> => {
      const due = { _id: id, publishedAt: trusted({ $lte: before }) }
      return (await model.updateOne(due, { $set: { publishedAt: now } }, { session })).modifiedCount === 1
    },
  }
}
