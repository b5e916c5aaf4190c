import { Schema, trusted } from 'mongoose'
import type { Connection } from 'mongoose'
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
  },
  { collection: 'sessions', versionKey: false },
)

/** Sessions by their id or by the hash of their cookie. One that is revoked or over is not found. */
export function createSessionStore(connection: Connection) {
  const model = connection.model('Session', schema)
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
    revoke: async (id: string, now: Date) =>
      (await model.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: now, unlockedUntil: null } }))
        .modifiedCount === 1,
    unlock: async (id: string, startedAt: Date, until: Date) =>
      (
        await model.updateOne(
          { _id: id, ...alive(startedAt) },
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
    lock: async (id: string) => {
      await model.updateOne({ _id: id }, { $set: { unlockedUntil: null, unlockStartedAt: null } })
    },
  }
}
