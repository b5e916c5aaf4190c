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
  /** The keys are sorted by epoch. The field is absent before the first key. */
  keys?: PublicKey[]
  version: number
  /** The row was last written at this time of the database's clock. */
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

/** Stores messaging's copy of auth's people. */
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
    /** Returns the ids of at most `count` people whose name, code or keys changed at `since` or later. */
    changedSince: async (since: Date, count: number): Promise<string[]> => {
      const filter = { changedAt: { $gte: since } }
      const rows = await model.collection
        .find(filter, { projection: { _id: 1 } })
        .limit(count)
        .toArray()
      return rows.map(({ _id }) => String(_id))
    },
    /** Adds people who share a name and have no code. People who exist already stay as they are. */
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
    /**
     * Stores a person unless this version or a newer one was stored before. Resolves with true if the person was written.
     */
    save: ({ userId, username, userCode, version, keys }: Person, session?: ClientSession) => {
      const $set = { username, userCode, userCodeKey: keyOf(userCode), ...(keys ? { keys } : {}) }
      const update = { $set, $currentDate: { changedAt: true } } as const
      return upsertNewer(model.collection, { id: userId, field: 'version', version, update, session })
    },
  }
}
