import { trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { User } from '../domain/user.ts'
import { changedNow, userModelOf } from './user-model.ts'

const plain = { lean: true, returnDocument: 'after' } as const

/** Schedules, cancels and carries out the deletion of users. */
export function createUserDeletion(connection: Connection) {
  const model = userModelOf(connection)
  return {
    /** Resolves with null when the deletion was scheduled already, or the password was changed since `user` was read. */
    scheduleDeletion: ({ _id, passwordChangedAt }: User, purgeAt: Date, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { _id, purgeAt: null, passwordChangedAt: passwordChangedAt ?? null },
          { $set: { purgeAt }, $inc: { version: 1 }, ...changedNow },
          { ...plain, session },
        )
        .exec() as Promise<User | null>,

    /** Resolves with null when no deletion is scheduled. */
    cancelDeletion: (id: string, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { _id: id, purgeAt: trusted({ $ne: null }) },
          { $set: { purgeAt: null }, $inc: { version: 1 }, ...changedNow },
          { ...plain, session },
        )
        .exec() as Promise<User | null>,

    /** Returns deletions that became due after the time `after`, the longest due first. */
    dueForPurge: async (
      after: Date,
      now: Date,
      count: number,
    ): Promise<{ userId: string; dueAt: Date }[]> => {
      // `$type` makes the query use the partial index.
      const rows = await model
        .find({ purgeAt: trusted({ $type: 'date', $gt: after, $lte: now }) }, { purgeAt: 1 })
        .sort({ purgeAt: 1 })
        .limit(count)
        .lean<{ _id: string; purgeAt: Date }[]>()
        .exec()
      return rows.map(({ _id, purgeAt }) => ({ userId: _id, dueAt: purgeAt }))
    },

    /** Resolves with null when the account was kept, or another process has removed it. */
    removeDue: (id: string, now: Date, session: ClientSession) =>
      model
        .findOneAndDelete({ _id: id, purgeAt: trusted({ $lte: now }) }, { lean: true, session })
        .exec() as Promise<User | null>,
  }
}
