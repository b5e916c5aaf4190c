import { Schema, trusted } from 'mongoose'
import type { Connection } from 'mongoose'
import type { Clock } from '@sumlock/service-kit/clock'
import { changeTimes } from '../domain/change-times.ts'
import type { Session } from '../domain/user.ts'
import { deleteInBatches } from './delete-in-batches.ts'

const schema = new Schema<Session>(
  {
    _id: String,
    cookieHash: { type: String, required: true },
    userId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    unlockStartedAt: { type: Date, default: null },
    unlockedUntil: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
    lockCount: Number,
    isAdmin: Boolean,
    changedAt: Date,
  },
  { collection: 'sessions', versionKey: false },
)

/** Sessions by their id or by the hash of their cookie. One that is revoked or over is not found. */
export function createSessionStore(connection: Connection, clock: Clock, times = changeTimes) {
  const model = connection.model('Session', schema)
  const stamp = { changedAt: '$$NOW' }

  /**
   * Takes something away from a session, and answers what it was before; null when nothing matched. A stamp that took
   * longer to be stored than readers look back may have been missed, so it is renewed before the change is acknowledged.
   */
  const change = async (filter: object, set: object): Promise<Session | null> => {
    let sentAtMs = clock.nowMs()
    const before = await model
      .findOneAndUpdate(filter, [{ $set: { ...stamp, ...set } }], { lean: true, updatePipeline: true })
      .exec()
    while (before && clock.nowMs() - sentAtMs > times.storedWithinMs) {
      sentAtMs = clock.nowMs()
      await model.updateOne({ _id: before._id }, [{ $set: stamp }], { updatePipeline: true })
    }
    return before
  }
  // guard: revoked-is-dead
  const alive = (now: Date) => ({ revokedAt: null, expiresAt: trusted({ $gt: now }) })
  return {
    insert: async (session: Session) => {
      await model.collection.insertOne(session as never)
    },
    byCookieHash: (cookieHash: string, now: Date) =>
      model
        .findOne({ cookieHash, ...alive(now) })
        .lean<Session>()
        .exec(),
    byId: (id: string, now: Date) =>
      model
        .findOne({ _id: id, ...alive(now) })
        .lean<Session>()
        .exec(),
    /** Also one that is revoked or over: its cookie still tells a known device. */
    endedOrAlive: (cookieHash: string) => model.findOne({ cookieHash }).lean<Session>().exec(),
    pruneExpired: (before: Date) =>
      deleteInBatches(model.collection as never, { expiresAt: { $lt: before } }),
    /** The living sessions of a person but one, newest first. */
    othersOf: (userId: string, exceptId: string, now: Date) =>
      model
        .find({ userId, _id: trusted({ $ne: exceptId }), ...alive(now) })
        .sort({ createdAt: -1 })
        .lean<Session[]>()
        .exec(),
    /** False when it was revoked before. */
    revoke: async (id: string, now: Date) =>
      (await change({ _id: id, revokedAt: null }, { revokedAt: now, unlockedUntil: null })) !== null,
    /** False when the session is over, or a lock was asked for since `seen` was read. */
    unlock: async (seen: Pick<Session, '_id' | 'lockCount'>, startedAt: Date, until: Date) =>
      (
        await model.updateOne(
          // guard: lock-outlasts-waiting-unlock
          { _id: seen._id, lockCount: seen.lockCount ?? null, ...alive(startedAt) },
          { $set: { unlockStartedAt: startedAt, unlockedUntil: until } },
        )
      ).modifiedCount === 1,
    /** Moves the deadline of an unlock that is still running; false when it ended meanwhile. */
    slide: async (id: string, now: Date, until: Date) =>
      (
        await model.updateOne(
          { _id: id, ...alive(now), unlockedUntil: trusted({ $gt: now }) },
          { $set: { unlockedUntil: until } },
        )
      ).matchedCount === 1,
    /**
     * False when it was locked before: then it is only counted, for the unlock that may be waiting. One that changed a
     * moment ago is stamped again: its writer may have died before it could see that its stamp came too late.
     */
    lock: async (id: string) => {
      const justNow = new Date(clock.nowMs() - times.unsettledMs)
      const isUnlocked = { $gt: ['$unlockedUntil', null] }
      const isTold = { $or: [isUnlocked, { $gt: ['$changedAt', justNow] }] }
      const before = await change(
        { _id: id },
        {
          unlockedUntil: null,
          unlockStartedAt: null,
          lockCount: { $add: [{ $ifNull: ['$lockCount', 0] }, 1] },
          changedAt: { $cond: [isTold, '$$NOW', '$changedAt'] },
        },
      )
      return before !== null && before.unlockedUntil !== null
    },

    /** Makes its sessions ask for the account's flag again, and gateways for the sessions. */
    markAdmin: async (userId: string) => {
      await model.updateMany({ userId, revokedAt: null }, [{ $set: { isAdmin: true, ...stamp } }], {
        updatePipeline: true,
      })
    },

    /** The changes from shortly before `since`, and the database's time when the query started. */
    changesSince: async (since: Date | null) => {
      // Read first: what is stored after it is found by the next look.
      const now = (await connection.db?.command({ hello: 1 }))?.['localTime'] as Date
      if (!since) return { now, rows: null }
      const from = new Date(since.getTime() - times.lookBackMs)
      const rows = await model
        .find({ changedAt: trusted({ $gte: from }) }, { changedAt: 1 })
        .limit(times.rowsAtMost + 1)
        .lean<Required<Pick<Session, '_id' | 'changedAt'>>[]>()
        .exec()
      return { now, rows: rows.length > times.rowsAtMost ? null : rows }
    },
  }
}
