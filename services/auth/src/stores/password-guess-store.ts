import { trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { User } from '../domain/user.ts'
import { userModelOf } from './user-model.ts'

/** Counts wrong passwords for an account, in the row of its user. */
export function createPasswordGuessStore(connection: Connection) {
  const model = userModelOf(connection)
  return {
    /** Counts a wrong password on a UTC day. Resolves with the changed user, or with null for an unknown user. */
    count: (userId: string, day: string) => {
      const isSameDay = { $eq: ['$guesses.day', day] }
      const next = {
        'guesses.sinceUnlock': { $add: [{ $ifNull: ['$guesses.sinceUnlock', 0] }, 1] },
        'guesses.ofDay': { $add: [{ $cond: [isSameDay, '$guesses.ofDay', 0] }, 1] },
        'guesses.day': day,
      }
      return model
        .findOneAndUpdate({ _id: userId }, [{ $set: next }], {
          lean: true,
          returnDocument: 'after',
          updatePipeline: true,
        })
        .exec() as Promise<User | null>
    },
    /** Resolves with false when the owner already got a mail on that day. */
    claimTelling: async (userId: string, day: string, session: ClientSession) => {
      const untold = { _id: userId, 'guesses.toldOn': trusted({ $ne: day }) }
      const set = { $set: { 'guesses.toldOn': day } }
      return (await model.updateOne(untold, set, { session })).modifiedCount === 1
    },
    /** Resolves with the number of wrong passwords since the previous call. */
    take: async (userId: string): Promise<number> => {
      const some = { _id: userId, 'guesses.sinceUnlock': trusted({ $gt: 0 }) }
      const before = (await model
        .findOneAndUpdate(some, { $set: { 'guesses.sinceUnlock': 0 } }, { lean: true })
        .exec()) as User | null
      return before?.guesses?.sinceUnlock ?? 0
    },
  }
}
