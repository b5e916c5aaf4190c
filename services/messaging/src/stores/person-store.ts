import type { Person } from '@sumlock/contracts/internal-routes'
import { Schema, trusted } from 'mongoose'
import type { Connection } from 'mongoose'
import { upsertNewer } from './upsert-newer.ts'

interface PersonRow {
  _id: string
  username: string
  userCode: string
  userCodeKey: string
  version: number
}

const schema = new Schema<PersonRow>(
  {
    _id: String,
    username: { type: String, required: true },
    userCode: { type: String, required: true },
    userCodeKey: { type: String, required: true },
    version: { type: Number, required: true },
  },
  { collection: 'people', versionKey: false },
)

const keyOf = (userCode: string) => userCode.replace(/[\s-]/g, '').toUpperCase()
const toPerson = (row: PersonRow): Person => ({
  userId: row._id,
  username: row.username,
  userCode: row.userCode,
  version: row.version,
})

/** A projection of the people that auth knows. */
export function createPersonStore(connection: Connection) {
  const model = connection.model('Person', schema)
  return {
    byIds: async (ids: readonly string[]) => {
      const rows = await model
        .find({ _id: trusted({ $in: [...ids] }) })
        .lean<PersonRow[]>()
        .exec()
      return new Map(rows.map((row) => [row._id, toPerson(row)]))
    },
    remove: async (userId: string): Promise<void> => {
      await model.deleteOne({ _id: userId })
    },
    /** Keeps the highest version. */
    save: ({ userId, username, userCode, version }: Person) =>
      upsertNewer(model.collection, userId, version, { username, userCode, userCodeKey: keyOf(userCode) }),
  }
}
