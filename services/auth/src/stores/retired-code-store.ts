import { Schema } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'

const schema = new Schema<{ _id: string }>(
  { _id: String },
  { collection: 'retired_codes', versionKey: false },
)

/** Stores user codes that were replaced. They belong to no account and are never given out again. */
export function createRetiredCodeStore(connection: Connection) {
  const model = connection.model('RetiredCode', schema)
  return {
    insert: async (code: string, session: ClientSession) => {
      await model.collection.insertOne({ _id: code as never }, { session })
    },
    has: async (code: string) => (await model.exists({ _id: code })) !== null,
  }
}
