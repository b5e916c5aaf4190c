import type { ClientSession, Connection } from 'mongoose'
import type { User, UserKey } from '../domain/user.ts'
import { userModelOf } from './user-model.ts'
import { changedNow } from './user-model.ts'

/** Matches the user only while the PIN and the keys are the same as when `user` was read. */
const unchanged = ({ _id, pinVersion, keys }: User) => ({ _id, pinVersion, keys: keys ?? null }) as never
const after = (session: ClientSession) => ({ session, returnDocument: 'after' }) as const

/**
 * Stores the keys of users and the PIN that their boxes are made for, in the row of the user, so that one write changes
 * both.
 */
export function createUserKeyStore(connection: Connection) {
  const users = userModelOf(connection).collection
  return {
    /** Resolves with false when the PIN or a key was changed since `user` was read, because its boxes would not fit. */
    replacePin: async (user: User, next: { pinMac: string; keys?: UserKey[] }) => {
      const result = await users.updateOne(unchanged(user), { $set: next, $inc: { pinVersion: 1 } })
      return result.modifiedCount === 1
    },

    /** Replaces the keys and resolves with the user; null when the PIN or a key was changed since `user` was read. */
    replaceKeys: (user: User, keys: UserKey[], session: ClientSession) => {
      const update = { $set: { keys }, $inc: { version: 1 }, ...changedNow }
      return users.findOneAndUpdate(unchanged(user), update, after(session)) as Promise<User | null>
    },

    /** Stores a first or next key and resolves with the user; null when a key with a box exists, or the PIN was changed. */
    addKey: async (id: string, pinVersion: number, key: UserKey, session: ClientSession) => {
      const former = key.epoch === 1 ? {} : { 'keys.epoch': key.epoch - 1 }
      const inTheWay = { $elemMatch: { $or: [{ box: { $ne: null } }, { epoch: { $gte: key.epoch } }] } }
      const filter = { _id: id, pinVersion, ...former, keys: { $not: inTheWay } }
      const update = { $push: { keys: key }, $inc: { version: 1 }, ...changedNow }
      return users.findOneAndUpdate(filter as never, update as never, after(session)) as Promise<User | null>
    },
    /** Replaces the box of a key that has one; resolves with false when there is no such key, or the PIN was changed. */
    replaceBox: async (id: string, pinVersion: number, { epoch, pub, ...next }: UserKey) => {
      const held = { $elemMatch: { epoch, pub, box: { $ne: null } } }
      const set = Object.fromEntries(Object.entries(next).map(([name, value]) => [`keys.$.${name}`, value]))
      const filter = { _id: id, pinVersion, keys: held }
      return (await users.updateOne(filter as never, { $set: set })).matchedCount === 1
    },
  }
}
