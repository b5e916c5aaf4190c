import { trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { PendingReset, User } from '../domain/user.ts'
import { userModelOf } from './user-model.ts'

/** Stores waiting resets of the app, in the row of their user. */
export function createPendingResetStore(connection: Connection) {
  const model = userModelOf(connection)
  const removed = { $unset: { pendingReset: '' } } as const
  return {
    /** Resolves with false when a reset waits already, no PIN is set, or the account is suspended. */
    add: async (
      userId: string,
      { dueAt, sessionId }: Omit<PendingReset, 'tryAt'>,
      session: ClientSession,
    ): Promise<boolean> => {
      const result = await model.updateOne(
        {
          _id: userId,
          pinMac: trusted({ $ne: null }),
          suspendedAt: null,
          'pendingReset.dueAt': trusted({ $exists: false }),
        },
        { $set: { pendingReset: { dueAt, tryAt: dueAt, sessionId } } },
        { session },
      )
      return result.modifiedCount === 1
    },
    /** Cancels a waiting reset, if any, and records that an unlock has to report the cancellation. */
    cancel: async (userId: string, session?: ClientSession): Promise<void> => {
      await model.updateOne(
        { _id: userId, 'pendingReset.dueAt': trusted({ $exists: true }) },
        [{ $set: { cancelledResetDueAt: '$pendingReset.dueAt' } }, { $unset: 'pendingReset' }],
        { updatePipeline: true, ...(session && { session }) },
      )
    },
    /** Removes the due time of a cancelled reset and resolves with it; undefined when there is nothing to report. */
    takeCancelled: async (userId: string): Promise<Date | undefined> => {
      const before = (await model
        .findOneAndUpdate(
          { _id: userId, cancelledResetDueAt: trusted({ $exists: true }) },
          { $unset: { cancelledResetDueAt: '' } },
          { lean: true },
        )
        .exec()) as User | null
      return before?.cancelledResetDueAt
    },
    /** Claims the next due reset for `forMs` milliseconds; resolves with null when none is due. */
    claim: (now: Date, forMs: number) =>
      model
        .findOneAndUpdate(
          // `$type` makes the query use the partial index.
          { 'pendingReset.tryAt': trusted({ $type: 'date', $lte: now }) },
          { $set: { 'pendingReset.tryAt': new Date(now.getTime() + forMs) } },
          { sort: { 'pendingReset.tryAt': 1 }, lean: true },
        )
        .exec() as Promise<User | null>,
    /** Removes a due reset; resolves with false when it was cancelled or carried out in between. */
    takeDue: async (userId: string, now: Date, session: ClientSession): Promise<boolean> => {
      const due = { _id: userId, 'pendingReset.dueAt': trusted({ $lte: now }) }
      return (await model.updateOne(due, removed, { session })).modifiedCount === 1
    },
  }
}
