import { trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { User } from '../domain/user.ts'
import { createUserContact } from './user-contact.ts'
import { createUserCredentials } from './user-credentials.ts'
import { createUserDeletion } from './user-deletion.ts'
import { changedNow, userModelOf } from './user-model.ts'

/** Stores users and finds them by id, username, address or user code. */
export function createUserStore(connection: Connection) {
  const model = userModelOf(connection)
  return {
    ...createUserContact(connection),
    ...createUserCredentials(connection),
    ...createUserDeletion(connection),

    /**
     * Inserts a user by an upsert, because only an update can use the database's clock. Throws when a unique index refuses
     * the user.
     */
    insert: async ({ _id, ...user }: User, session: ClientSession) => {
      const update = { $setOnInsert: user, ...changedNow }
      await model.collection.updateOne({ _id: _id as never }, update, { upsert: true, session })
    },

    byId: (id: string) => model.findById(id).lean<User>().exec(),

    byUsernameKey: (usernameKey: string) => model.findOne({ usernameKey }).lean<User>().exec(),

    /** Finds the account that has proven the address. */
    ownerOf: (emailKey: string) => model.findOne({ emailKey, isEmailVerified: true }).lean<User>().exec(),

    /** Finds the oldest accounts that claim the address. */
    claimantsOf: (emailKey: string, most: number) =>
      model.find({ emailKey }).sort({ createdAt: 1 }).limit(most).lean<User[]>().exec(),

    byUserCode: (userCode: string) => model.findOne({ userCode }).lean<User>().exec(),

    /** Lists users who registered or whose `version` increased at this time or later, oldest change first. */
    changedSince: (since: Date, limit: number) =>
      model
        .find({ changedAt: trusted({ $gte: since }) })
        .sort({ changedAt: 1, _id: 1 })
        .limit(limit)
        .lean<User[]>()
        .exec(),

    /** Resolves with the username of each id; ids of people who no longer exist are left out. */
    usernamesOf: async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const users = await model
        .find({ _id: trusted({ $in: [...ids] }) }, { username: 1 })
        .lean<Pick<User, '_id' | 'username'>[]>()
        .exec()
      return new Map(users.map(({ _id, username }) => [_id, username]))
    },

    /** Resolves with false when the account was exported on that day already. */
    claimExport: async (id: string, day: string) =>
      (await model.updateOne({ _id: id, exportedOn: trusted({ $ne: day }) }, { $set: { exportedOn: day } }))
        .modifiedCount === 1,

    setDiscreet: async (id: string, isDiscreet: boolean) => {
      await model.updateOne({ _id: id }, { $set: { isDiscreet } })
    },

    makeAdmin: async (usernameKey: string) =>
      (await model.updateOne({ usernameKey }, { $set: { isAdmin: true } })).matchedCount === 1,
  }
}
