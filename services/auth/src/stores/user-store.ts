import { limits } from '@sumlock/contracts/limits'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { User } from '../domain/user.ts'

const schema = new Schema<User>(
  {
    _id: String,
    username: { type: String, required: true },
    usernameKey: { type: String, required: true },
    email: { type: String, required: true },
    emailKey: { type: String, required: true },
    phone: { type: String, required: true },
    fullName: { type: String, required: true },
    passwordHash: { type: String, required: true },
    userCode: { type: String, required: true },
    isPhoneVerified: { type: Boolean, required: true },
    isEmailVerified: { type: Boolean, required: true },
    isAdmin: { type: Boolean, required: true },
    pinHash: { type: String, default: null },
    isDiscreet: { type: Boolean, default: false },
    silentHits: { type: Number, required: true },
    explicitFailures: { type: Number, required: true },
    pausedUntil: { type: Date, default: null },
    softDay: { type: String, default: null },
    softFailures: { type: Number, required: true },
    lastSoftFailure: { type: String, default: null },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false },
)

/** Users and the counters that guard their PIN. Every counter moves before anything is compared. */
export function createUserStore(connection: Connection) {
  const model = connection.model('User', schema)
  const plain = { lean: true, returnDocument: 'after' } as const
  return {
    insert: async (user: User, session: ClientSession) => {
      await model.collection.insertOne(user as never, { session })
    },
    byId: (id: string) => model.findById(id).lean<User>().exec(),
    byUsernameKey: (usernameKey: string) => model.findOne({ usernameKey }).lean<User>().exec(),
    byUserCode: (userCode: string) => model.findOne({ userCode }).lean<User>().exec(),

    /** False when a PIN was set already. */
    setPin: async (id: string, pinHash: string, isDiscreet: boolean) =>
      // guard: pin-set-once
      (await model.updateOne({ _id: id, pinHash: null }, { $set: { pinHash, isDiscreet } })).modifiedCount ===
      1,

    /** Unless the password was changed meanwhile. */
    replacePasswordHash: async ({ _id, passwordHash }: User, next: string) => {
      await model.updateOne({ _id, passwordHash }, { $set: { passwordHash: next } })
    },

    setDiscreet: async (id: string, isDiscreet: boolean) => {
      await model.updateOne({ _id: id }, { $set: { isDiscreet } })
    },

    makeAdmin: async (usernameKey: string) =>
      (await model.updateOne({ usernameKey }, { $set: { isAdmin: true } })).matchedCount === 1,

    /** Takes one explicit try; null while paused. The tenth and every further one starts the next pause with it. */
    takeExplicitTry: (id: string, now: Date) => {
      const beyond = { $subtract: ['$explicitFailures', limits.explicitFreeFailures] }
      const seconds = {
        $min: [
          { $multiply: [limits.explicitFirstPauseSeconds, { $pow: [2, beyond] }] },
          limits.explicitMaxPauseSeconds,
        ],
      }
      return model
        .findOneAndUpdate(
          // guard: explicit-budget
          { _id: id, pausedUntil: trusted({ $not: { $gt: now } }) },
          [
            { $set: { explicitFailures: { $add: ['$explicitFailures', 1] } } },
            {
              $set: {
                pausedUntil: {
                  $cond: [{ $gte: [beyond, 0] }, { $add: [now, { $multiply: [1000, seconds] }] }, null],
                },
              },
            },
          ],
          { ...plain, updatePipeline: true },
        )
        .exec() as Promise<User | null>
    },

    clearExplicitTries: async (id: string) => {
      await model.updateOne({ _id: id }, { $set: { explicitFailures: 0, pausedUntil: null } })
    },

    /** Takes one soft try of the day; null when the day's are used up. */
    takeSoftTry: (id: string, day: string) =>
      model
        .findOneAndUpdate(
          {
            _id: id,
            $or: [
              { softDay: trusted({ $ne: day }) },
              // guard: soft-budget
              { softFailures: trusted({ $lt: limits.softFailuresPerDay }) },
            ],
          },
          [
            {
              $set: {
                softFailures: { $cond: [{ $eq: ['$softDay', day] }, { $add: ['$softFailures', 1] }, 1] },
                softDay: day,
              },
            },
          ],
          { ...plain, updatePipeline: true },
        )
        .exec() as Promise<User | null>,

    /** Gives a soft try back: the entry was right. */
    returnSoftTry: async (id: string, day: string) => {
      await model.updateOne({ _id: id, softDay: day }, { $inc: { softFailures: -1 } })
    },

    /** Remembers a soft failure; gives the try back when it extends the one before it. */
    rememberSoftFailure: async (id: string, entryMac: string, prefixMacs: readonly string[]) => {
      const extended = await model.updateOne(
        { _id: id, lastSoftFailure: trusted({ $in: prefixMacs }) },
        { $set: { lastSoftFailure: entryMac }, $inc: { softFailures: -1 } },
      )
      if (extended.modifiedCount === 0)
        await model.updateOne({ _id: id }, { $set: { lastSoftFailure: entryMac } })
    },

    /** Counts a right silent entry; the new count, or null when the hint was shown before. */
    countSilentHit: async (id: string) => {
      const user = (await model
        .findOneAndUpdate(
          // guard: silent-for-ever
          { _id: id, silentHits: trusted({ $lt: limits.hintAfterCorrectEntries }) },
          { $inc: { silentHits: 1 } },
          plain,
        )
        .exec()) as User | null
      return user?.silentHits ?? null
    },
  }
}
