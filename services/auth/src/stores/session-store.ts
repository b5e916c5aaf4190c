import { deleteInBatches, updateInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection, mongo } from 'mongoose'
import type { Clock } from '@sumlock/service-kit/clock'
import { changeTimes } from '../domain/change-times.ts'
import type { Session } from '../domain/user.ts'

const schema = new Schema<Session>(
  {
    _id: String,
    cookieHash: { type: String, required: true },
    userId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    passwordGivenAt: Date,
    pinGivenAt: Date,
    passwordConfirmedAt: Date,
    expiresAt: { type: Date, required: true },
    unlockStartedAt: { type: Date, default: null },
    unlockedSince: Date,
    unlockedUntil: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
    lockCount: Number,
    isAdmin: { type: Boolean, required: true },
    device: String,
    addressFamily: String,
    lastSeenAt: Date,
    idleEndsAt: { type: Date, required: true },
    copyKey: String,
    changedAt: Date,
  },
  { collection: 'sessions', versionKey: false },
)

const modelOf = (connection: Connection) => connection.model('Session', schema)
type SessionModel = ReturnType<typeof modelOf>

const stamp = { changedAt: '$$NOW' }
/** An ended session keeps nothing about the device. */
const noDevice = { device: '$$REMOVE', addressFamily: '$$REMOVE', lastSeenAt: '$$REMOVE' }
const ended = { ...noDevice, unlockedUntil: null, copyKey: '$$REMOVE' }
const alive = (now: Date) => ({
  // guard: revoked-is-dead
  revokedAt: null,
  expiresAt: trusted({ $gt: now }),
  idleEndsAt: trusted({ $gt: now }),
})

/** Stores sessions and finds them by id or by the hash of their cookie. Revoked and expired sessions are not found. */
export function createSessionStore(connection: Connection, clock: Clock, times = changeTimes) {
  const model = modelOf(connection)
  return {
    ...sessionQueries(model),
    ...unlockChanges(model),
    ...revocations(model, clock, times),
    changesSince: changeList(model, connection, times),
  }
}

function sessionQueries(model: SessionModel) {
  const rows = model.collection as unknown as mongo.Collection<Session>
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
    removeOf: (userId: string, stopping?: AbortSignal) => deleteInBatches(rows, { userId }, stopping),
    /** Removes the copy keys of unlocks that have ended by time. */
    forgetCopyKeys: (now: Date, stopping?: AbortSignal) => {
      const over = { copyKey: { $exists: true }, unlockedUntil: { $lte: now } }
      return updateInBatches(rows, over, { $unset: { copyKey: '' } }, stopping)
    },
    /** Removes the devices of sessions that ended by idling. */
    forgetIdleDevices: (now: Date, stopping?: AbortSignal) => {
      const idle = { device: { $exists: true }, idleEndsAt: { $lte: now } }
      return updateInBatches(rows, idle, [{ $set: noDevice }], stopping)
    },
    pruneExpired: (before: Date, stopping?: AbortSignal) =>
      deleteInBatches(rows, { expiresAt: { $lt: before } }, stopping),
    /** Finds all live sessions of a person, or all except one, most recently used first. */
    othersOf: (userId: string, exceptId: string | null, now: Date) =>
      model
        .find({ userId, _id: trusted({ $ne: exceptId }), ...alive(now) })
        .lean<Session[]>()
        .exec()
        .then((found) => found.sort((left, right) => right.lastSeenAt.getTime() - left.lastSeenAt.getTime())),
  }
}

/** These changes only extend access, so other processes need not be informed. */
function unlockChanges(model: SessionModel) {
  return {
    /** Resolves with false when the session has ended, or a lock was requested after `seen` was read. */
    unlock: async (
      seen: Pick<Session, '_id' | 'lockCount'>,
      unlocked: Pick<Session, 'unlockedSince' | 'unlockedUntil' | 'copyKey'> & { unlockStartedAt: Date },
    ) => {
      const { unlockStartedAt: pinGivenAt } = unlocked
      const result = await model.updateOne(
        // guard: lock-outlasts-waiting-unlock
        { _id: seen._id, lockCount: seen.lockCount ?? null, ...alive(pinGivenAt) },
        { $set: { ...unlocked, pinGivenAt } },
      )
      return result.modifiedCount === 1
    },
    /** Records the use of a live session. */
    see: async (id: string, now: Date, idleEndsAt: Date) => {
      await model.updateOne({ _id: id, ...alive(now) }, { $set: { lastSeenAt: now, idleEndsAt } })
    },
    /** Records that the account password was given in this session. */
    notePassword: async (id: string, passwordGivenAt: Date, transaction: ClientSession) => {
      await model.updateOne({ _id: id }, { $set: { passwordGivenAt } }, { session: transaction })
    },
    /** Records that the PIN was chosen in this session. */
    notePin: async (id: string, pinGivenAt: Date) => {
      await model.updateOne({ _id: id }, { $set: { pinGivenAt } })
    },
    /**
     * Records that an administrator gave the account password. Unlike `notePassword`, this shows a locked session no more
     * data.
     */
    confirmPassword: async (id: string, passwordConfirmedAt: Date) => {
      await model.updateOne({ _id: id }, { $set: { passwordConfirmedAt } })
    },
    /** Moves the deadline of a running unlock; resolves with false when the unlock has ended. */
    slide: async (id: string, now: Date, until: Date) => {
      const result = await model.updateOne(
        { _id: id, ...alive(now), unlockedUntil: trusted({ $gt: now }) },
        { $set: { unlockedUntil: until } },
      )
      return result.matchedCount === 1
    },
  }
}

/** These changes restrict access, so other processes must be informed: each one is stamped for `changesSince`. */
function revocations(model: SessionModel, clock: Clock, times: typeof changeTimes) {
  /**
   * Restricts a session and resolves with it as it was before; null when nothing matched. A stamp that was stored late may
   * have been missed by readers, so it is renewed before the change is acknowledged.
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
  return {
    /** Resolves with false when the session was already revoked. */
    revoke: async (id: string, now: Date) =>
      (await change({ _id: id, revokedAt: null }, { ...ended, revokedAt: now })) !== null,
    /**
     * Revokes a session; resolves with false when it was already revoked, or when the right PIN has been given in it by now.
     */
    revokeWithoutPin: async (id: string, now: Date) =>
      (await change({ _id: id, revokedAt: null, pinGivenAt: null }, { ...ended, revokedAt: now })) !== null,
    /**
     * Revokes all sessions of a person but `exceptIds`, in the caller's transaction; `stamp` the resulting ids after the
     * commit.
     */
    revokeAll: async (
      userId: string,
      now: Date,
      transaction: ClientSession,
      exceptIds: readonly string[] = [],
    ): Promise<string[]> => {
      const found = await model
        .find({ userId, revokedAt: null, _id: trusted({ $nin: [...exceptIds] }) }, { _id: 1 })
        .session(transaction)
        .lean<Pick<Session, '_id'>[]>()
      const ids = found.map(({ _id }) => _id)
      await model.updateMany(
        { _id: trusted({ $in: ids }) },
        [{ $set: { ...stamp, ...ended, revokedAt: now } }],
        { session: transaction, updatePipeline: true },
      )
      return ids
    },
    /** Stamps changes again after a commit, because their first stamps may be older than readers look back. */
    stamp: async (ids: readonly string[]) => {
      await model.updateMany({ _id: trusted({ $in: [...ids] }) }, [{ $set: stamp }], { updatePipeline: true })
    },
    /**
     * Locks a session; resolves with false when it was locked already. That lock is counted as well, so that a waiting
     * unlock fails. A recent change is stamped again, in case its writer ended before it could do so.
     */
    lock: async (id: string) => {
      const justNow = new Date(clock.nowMs() - times.unsettledMs)
      const isUnlocked = { $gt: ['$unlockedUntil', null] }
      const isStamped = { $or: [isUnlocked, { $gt: ['$changedAt', justNow] }] }
      const before = await change(
        { _id: id },
        {
          unlockedUntil: null,
          unlockStartedAt: null,
          copyKey: '$$REMOVE',
          lockCount: { $add: [{ $ifNull: ['$lockCount', 0] }, 1] },
          changedAt: { $cond: [isStamped, '$$NOW', '$changedAt'] },
        },
      )
      return before !== null && before.unlockedUntil !== null
    },
    /** Makes auth read the role for these sessions, and makes gateways exchange the sessions again. */
    markAdmin: async (userId: string) => {
      await model.updateMany({ userId, revokedAt: null }, [{ $set: { isAdmin: true, ...stamp } }], {
        updatePipeline: true,
      })
    },
  }
}

/** A changed session is listed with the time of its change. */
export type SessionChange = Required<Pick<Session, '_id' | 'changedAt'>>

/**
 * Lists the changes since shortly before `since`, with the database's time when the query started. `rows` is null when all
 * sessions count as changed.
 */
function changeList(model: SessionModel, connection: Connection, times: typeof changeTimes) {
  return async (since: Date | null): Promise<{ now: Date; rows: SessionChange[] | null }> => {
    // The time is read first, so that later changes are found by the next query.
    const now = (await connection.db?.command({ hello: 1 }))?.['localTime'] as Date
    if (!since) return { now, rows: null }
    const from = new Date(since.getTime() - times.lookBackMs)
    const rows = await changesOf(model, from)
      .limit(times.listedAtMost + 1)
      .toArray()
    return { now, rows: rows.length > times.listedAtMost ? null : rows }
  }
}

/** The query reads only fields of its index, so it needs to load no sessions. */
export const changesOf = ({ collection }: Pick<SessionModel, 'collection'>, from: Date) =>
  collection
    .find({ changedAt: { $gte: from } })
    .project<SessionChange>({ changedAt: 1 })
    .sort({ changedAt: 1, _id: 1 })
