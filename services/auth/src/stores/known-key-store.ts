import { limits } from '@sumlock/contracts/limits'
import { Schema } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import { userModelOf } from './user-model.ts'

/** A person keeps a partner's accepted key in this sealed record. Only clients can open the box. */
export interface KnownKeyRecord {
  userId: string
  /** The client makes this name, which does not reveal the conversation. */
  name: string
  version: number
  box: string
}

interface Row extends Omit<KnownKeyRecord, 'name'> {
  /** The key is `<userId>|<name>`. */
  _id: string
}

const schema = new Schema<Row>(
  {
    _id: String,
    userId: { type: String, required: true },
    version: { type: Number, required: true },
    box: { type: String, required: true },
  },
  { collection: 'known_keys', versionKey: false },
)

/**
 * Stores the records of known keys, one per conversation. Their number is a field of the user, so that the limit is exact.
 */
export function createKnownKeyStore(connection: Connection) {
  const model = connection.model('KnownKey', schema)
  const users = userModelOf(connection).collection
  const idOf = ({ userId, name }: Pick<KnownKeyRecord, 'userId' | 'name'>) => `${userId}|${name}`
  return {
    find: (key: Pick<KnownKeyRecord, 'userId' | 'name'>) => model.findById(idOf(key)).lean<Row>().exec(),

    /** Resolves with false when the record exists already. */
    insert: async ({ userId, version, box, name }: KnownKeyRecord, session: ClientSession) => {
      const row = { $setOnInsert: { userId, version, box } }
      const options = { upsert: true, session }
      return (await model.updateOne({ _id: idOf({ userId, name }) }, row, options)).upsertedCount === 1
    },
    /**
     * Counts one more record. Resolves with false at the limit, and for a person without a PIN, whose records a reset has
     * just removed.
     */
    countOne: async (userId: string, session: ClientSession) => {
      const mayHaveMore = { pinMac: { $ne: null }, knownKeyCount: { $not: { $gte: limits.knownKeys } } }
      const filter = { _id: userId, ...mayHaveMore } as never
      return (await users.updateOne(filter, { $inc: { knownKeyCount: 1 } }, { session })).matchedCount === 1
    },
    /** Replaces the previous version; resolves with false when that version is not stored. */
    replace: async ({ version, box, ...key }: KnownKeyRecord) => {
      const before = { _id: idOf(key), version: version - 1 }
      return (await model.updateOne(before, { $set: { version, box } })).modifiedCount === 1
    },
    removeOf: async (userId: string, session: ClientSession) => {
      await model.deleteMany({ userId }, { session })
      await users.updateOne({ _id: userId as never }, { $unset: { knownKeyCount: '' } }, { session })
    },
  }
}
