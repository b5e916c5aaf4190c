import type { Person } from '@sumlock/contracts/internal-routes'
import type { PublicKey } from '@sumlock/contracts/sealed'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import { upsertNewer } from './upsert-newer.ts'

interface PersonRow {
  _id: string
  username: string
  userCode: string
  userCodeKey: string
  /** Ascending by epoch; absent before the first. */
  keys?: PublicKey[]
  version: number
  /** The last write of this row, by the database's clock. */
  changedAt?: Date
}

const schema = new Schema<PersonRow>(
  {
    _id: String,
    username: { type: String, required: true },
    userCode: { type: String, required: true },
    userCodeKey: { type: String, required: true },
    keys: { type: [Object], default: undefined },
    version: { type: Number, required: true },
    changedAt: Date,
  },
  { collection: 'people', versionKey: false },
)

const keyOf = (userCode: string) => userCode.replace(/[\s-]/g, '').toUpperCase()
const toPerson = (row: PersonRow): Person => ({
  userId: row._id,
  username: row.username,
  userCode: row.userCode,
  version: row.version,
  ...(row.keys ? { keys: row.keys } : {}),
})

/** The projection of auth's people. */
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
    /** Returns the given people whose name or code contains a text. */
    idsMatching: async (ids: readonly string[], text: string): Promise<string[]> => {
      const contains = (part: string) => ({
        $regex: part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
        $options: 'i',
      })
      const code = keyOf(text)
      const rows = await model.collection
        .find(
          {
            _id: { $in: ids as never[] },
            $or: [{ username: contains(text) }, ...(code ? [{ userCodeKey: contains(code) }] : [])],
          },
          { projection: { _id: 1 } },
        )
        .toArray()
      return rows.map(({ _id }) => String(_id))
    },
    /** People whose name, code or keys have changed; at most `count`. */
    changedSince: async (since: Date, count: number): Promise<string[]> => {
      const filter = { changedAt: { $gte: since } }
      const rows = await model.collection
        .find(filter, { projection: { _id: 1 } })
        .limit(count)
        .toArray()
      return rows.map(({ _id }) => String(_id))
    },
    /** Adds people under one name, who have no code; does nothing for existing ones. */
    add: async (ids: readonly string[], { username, version }: Pick<PersonRow, 'username' | 'version'>) => {
      const $setOnInsert = { username, userCode: '', userCodeKey: '', version }
      const update = { $setOnInsert, $currentDate: { changedAt: true } } as const
      const updates = ids.map((_id) => ({
        updateOne: { filter: { _id: _id as never }, update, upsert: true },
      }))
      await model.collection.bulkWrite(updates, { ordered: false })
    },
    remove: async (userId: string): Promise<void> => {
      await model.deleteOne({ _id: userId })
    },
    /** Keeps the highest version. */
    save: ({ userId, username, userCode, version, keys }: Person, session?: ClientSession) => {
      const $set = { username, userCode, userCodeKey: keyOf(userCode), ...(keys ? { keys } : {}) }
      const update = { $set, $currentDate: { changedAt: true } } as const
      return upsertNewer(model.collection, { id: userId, field: 'version', version, update, session })
    },
  }
}
