import { limits } from '@sumlock/contracts/limits'
import { trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { User } from '../domain/user.ts'
import type { MailLink } from './mail-link-store.ts'
import { userModelOf } from './user-model.ts'

/** Belongs to each increase of `version`. The clock is the database's, the same for all replicas. */
export const changedNow = { $currentDate: { changedAt: true } } as const

/** Users, found by id, username or user code. */
export function createUserStore(connection: Connection) {
  const model = userModelOf(connection)
  const plain = { lean: true, returnDocument: 'after' } as const
  return {
    insert: async (user: User, session: ClientSession) => {
      await model.collection.insertOne(user as never, { session })
    },
    byId: (id: string) => model.findById(id).lean<User>().exec(),
    byUsernameKey: (usernameKey: string) => model.findOne({ usernameKey }).lean<User>().exec(),
    /** The account that has proven the address. */
    ownerOf: (emailKey: string) => model.findOne({ emailKey, isEmailVerified: true }).lean<User>().exec(),
    /** The oldest accounts that claim the address. */
    claimantsOf: (emailKey: string, most: number) =>
      model.find({ emailKey }).sort({ createdAt: 1 }).limit(most).lean<User[]>().exec(),
    byUserCode: (userCode: string) => model.findOne({ userCode }).lean<User>().exec(),

    /** False when the account has another address by now. Throws, as the next two, when another account has proven the address. */
    verifyEmail: async ({ userId, emailKey }: MailLink, session: ClientSession) =>
      (await model.updateOne({ _id: userId, emailKey }, { $set: { isEmailVerified: true } }, { session }))
        .matchedCount === 1,

    /** Gives the account the verified address of the link. Resolves with the user as before; null when the password changed. */
    changeEmail: ({ userId, email, emailKey, passwordChangedAt }: MailLink, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { _id: userId, passwordChangedAt: passwordChangedAt ?? null },
          { $set: { email, emailKey, isEmailVerified: true } },
          { lean: true, session },
        )
        .exec() as Promise<User | null>,

    setFullName: async (id: string, fullName: string) => {
      await model.updateOne({ _id: id }, { $set: { fullName } })
    },

    setPhone: async (id: string, phone: string, session: ClientSession) => {
      await model.updateOne({ _id: id }, { $set: { phone, isPhoneVerified: true } }, { session })
    },

    /** Also proves the address: the link was read there. Null when the account has another address by now. */
    changePassword: (
      { userId, emailKey }: MailLink,
      { passwordHash, now }: { passwordHash: string; now: Date },
      session: ClientSession,
    ) =>
      model
        .findOneAndUpdate(
          { _id: userId, emailKey },
          { $set: { passwordHash, passwordChangedAt: now, isEmailVerified: true } },
          { ...plain, session },
        )
        .exec() as Promise<User | null>,

    /** False when the password was changed since `user` was read. */
    replacePassword: async (
      { _id, passwordChangedAt }: User,
      { passwordHash, now }: { passwordHash: string; now: Date },
      session: ClientSession,
    ) => {
      const next = { passwordHash, passwordChangedAt: now }
      const result = await model.updateOne(
        { _id, passwordChangedAt: passwordChangedAt ?? null },
        { $set: next },
        { session },
      )
      return result.modifiedCount === 1
    },

    /** False when a PIN was set already, or the app was reset since `user` was read. */
    setPin: async ({ _id, resetAt }: User, pin: { pinMac: string; isDiscreet: boolean }) => {
      const unchanged = { _id, pinMac: null, resetAt: resetAt ?? null, isClearPending: null }
      return (await model.updateOne(unchanged, { $set: pin, $inc: { pinVersion: 1 } })).modifiedCount === 1
    },

    /**
     * Removes the PIN and the boxes of the keys; until `settleClearing`, no other PIN can be set. Discreet mode stays: it is about
     * the phone, not about the number.
     */
    resetApp: async (id: string, resetAt: Date, session: ClientSession) => {
      const next = { pinMac: null, resetAt, isClearPending: true }
      const boxes = { 'keys.$[].box': null }
      const replaced = {
        $set: next,
        $unset: { pendingReset: '', cancelledResetDueAt: '' },
        $inc: { pinVersion: 1 },
      } as const
      await model.updateOne({ _id: id }, replaced, { session })
      await model.updateOne({ _id: id, keys: trusted({ $exists: true }) }, { $set: boxes }, { session })
    },
    settleClearing: async (id: string, resetAt: Date) => {
      await model.updateOne({ _id: id, resetAt }, { $unset: { isClearPending: '' } })
    },

    /** Does nothing if the password was changed meanwhile. */
    replacePasswordHash: async ({ _id, passwordHash }: User, next: string) => {
      await model.updateOne({ _id, passwordHash }, { $set: { passwordHash: next } })
    },

    /** Resolves with the user before the change; null when there is none. */
    replaceUserCode: (id: string, userCode: string, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { _id: id },
          { $set: { userCode }, $inc: { version: 1 }, ...changedNow },
          { lean: true, session },
        )
        .exec() as Promise<User | null>,

    /** Null when the deletion was scheduled already, or the password was changed since `user` was read. */
    scheduleDeletion: ({ _id, passwordChangedAt }: User, purgeAt: Date, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { _id, purgeAt: null, passwordChangedAt: passwordChangedAt ?? null },
          { $set: { purgeAt }, $inc: { version: 1 }, ...changedNow },
          { ...plain, session },
        )
        .exec() as Promise<User | null>,

    /** Null when no deletion is scheduled. */
    cancelDeletion: (id: string, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { _id: id, purgeAt: trusted({ $ne: null }) },
          { $set: { purgeAt: null }, $inc: { version: 1 }, ...changedNow },
          { ...plain, session },
        )
        .exec() as Promise<User | null>,

    /** Users whose version increased at this time or later, oldest change first. */
    changedSince: (since: Date, limit: number) =>
      model
        .find({ changedAt: trusted({ $gte: since }) })
        .sort({ changedAt: 1, _id: 1 })
        .limit(limit)
        .lean<User[]>()
        .exec(),

    /** Those due after another one, the longest due first. */
    dueForPurge: async (
      after: Date,
      now: Date,
      count: number,
    ): Promise<{ userId: string; dueAt: Date }[]> => {
      // `$type`, so that the partial index is used.
      const rows = await model
        .find({ purgeAt: trusted({ $type: 'date', $gt: after, $lte: now }) }, { purgeAt: 1 })
        .sort({ purgeAt: 1 })
        .limit(count)
        .lean<{ _id: string; purgeAt: Date }[]>()
        .exec()
      return rows.map(({ _id, purgeAt }) => ({ userId: _id, dueAt: purgeAt }))
    },

    /** Null when the account was kept, or another process has removed it. */
    removeDue: (id: string, now: Date, session: ClientSession) =>
      model
        .findOneAndDelete({ _id: id, purgeAt: trusted({ $lte: now }) }, { lean: true, session })
        .exec() as Promise<User | null>,

    /** By id; without those who are gone. */
    usernamesOf: async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const users = await model
        .find({ _id: trusted({ $in: [...ids] }) }, { username: 1 })
        .lean<Pick<User, '_id' | 'username'>[]>()
        .exec()
      return new Map(users.map(({ _id, username }) => [_id, username]))
    },

    /** False when the account was exported on that day already. */
    claimExport: async (id: string, day: string) =>
      (await model.updateOne({ _id: id, exportedOn: trusted({ $ne: day }) }, { $set: { exportedOn: day } }))
        .modifiedCount === 1,

    setDiscreet: async (id: string, isDiscreet: boolean) => {
      await model.updateOne({ _id: id }, { $set: { isDiscreet } })
    },

    makeAdmin: async (usernameKey: string) =>
      (await model.updateOne({ usernameKey }, { $set: { isAdmin: true } })).matchedCount === 1,

    /** Counts a right silent entry. Resolves with the new count; null when the hint was already shown. */
    countSilentHit: async (id: string) => {
      const user = (await model
        .findOneAndUpdate(
          { _id: id, silentHits: trusted({ $lt: limits.hintAfterCorrectEntries }) },
          { $inc: { silentHits: 1 } },
          plain,
        )
        .exec()) as User | null
      return user?.silentHits ?? null
    },
  }
}
