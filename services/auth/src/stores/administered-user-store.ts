import type { ClientSession, Connection } from 'mongoose'
import type { User } from '../domain/user.ts'
import { userModelOf } from './user-model.ts'

const pageWithinMs = 4000
const searched = ['username', 'fullName', 'email', 'phone', 'userCode']
const containing = (q: string) => ({
  $regex: q.trim().replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  $options: 'i',
})

/** Finds and suspends users for administrators. */
export function createAdministeredUserStore(connection: Connection) {
  const model = userModelOf(connection)
  return {
    /**
     * Resolves with a page of users, newest first, and the number of all users unless `q` is given; null when there is no
     * user `before`.
     */
    page: async ({
      limit,
      before,
      q,
    }: {
      limit: number
      before?: string | undefined
      q?: string | undefined
    }) => {
      const found = q === undefined ? {} : { $or: searched.map((field) => ({ [field]: containing(q) })) }
      const last = before === undefined ? null : await model.findById(before).lean<User>().exec()
      if (before !== undefined && !last) return null
      const older = last && {
        $or: [{ createdAt: { $lt: last.createdAt } }, { createdAt: last.createdAt, _id: { $lt: last._id } }],
      }
      const [users, total] = await Promise.all([
        model.collection
          .find({ $and: [found, older ?? {}] } as never, { maxTimeMS: pageWithinMs })
          .sort({ createdAt: -1, _id: -1 })
          .limit(limit)
          .toArray() as unknown as Promise<User[]>,
        q === undefined ? model.collection.countDocuments({}, { maxTimeMS: pageWithinMs }) : undefined,
      ])
      return { users, total }
    },

    /**
     * Suspends a user. Resolves with the user before the change; null when the user does not exist or is an administrator.
     */
    suspend: (id: string, now: Date, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { _id: id, isAdmin: false },
          { $set: { suspendedAt: now } },
          { lean: true, session },
        )
        .exec() as Promise<User | null>,
    /** Resolves with false when there is no such user. */
    unsuspend: async (id: string, session: ClientSession) =>
      (await model.updateOne({ _id: id }, { $set: { suspendedAt: null } }, { session })).matchedCount === 1,
  }
}
