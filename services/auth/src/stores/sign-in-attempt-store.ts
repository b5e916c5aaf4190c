import { limits } from '@sumlock/contracts/limits'
import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema } from 'mongoose'
import type { Connection } from 'mongoose'

export interface SignInAttempts {
  /** The id is the hash of a username, which may not exist, or of a session: see `check-password.ts`. */
  _id: string
  /** Counts wrong passwords in a row. */
  failures: number
  lastAt: Date
  pausedUntil: Date | null
}

const schema = new Schema<SignInAttempts>(
  {
    _id: String,
    failures: { type: Number, required: true },
    lastAt: { type: Date, required: true },
    pausedUntil: { type: Date, default: null },
  },
  { collection: 'sign_in_attempts', versionKey: false },
)

/** The count is reset after a day without a try. */
const forgetAfterMs = 86_400_000

const ahead = (row: SignInAttempts | null, now: Date) =>
  row?.pausedUntil && row.pausedUntil > now ? row.pausedUntil : null

/**
 * Counts wrong account passwords. A try is counted before the comparison, so that parallel tries cannot exceed the
 * limit.
 */
export function createSignInAttemptStore(connection: Connection) {
  const model = connection.model('SignInAttempts', schema)
  return {
    /** Counts a try. During a pause it counts nothing and returns the end of the pause. */
    take: async (id: string, now: Date): Promise<{ pausedUntil: Date | null }> => {
      const isPaused = { $gt: ['$pausedUntil', now] }
      const isRecent = { $gt: ['$lastAt', new Date(now.getTime() - forgetAfterMs)] }
      const beyond = { $subtract: ['$failures', limits.signInFreeFailures] }
      const pauseSeconds = {
        $min: [
          { $multiply: [limits.signInFirstPauseSeconds, { $pow: [2, beyond] }] },
          limits.signInMaxPauseSeconds,
        ],
      }
      const pauseEnd = { $add: [now, { $multiply: [1000, pauseSeconds] }] }
      const before = (await model
        .findOneAndUpdate(
          { _id: id },
          [
            {
              $set: {
                failures: {
                  $cond: [isPaused, '$failures', { $add: [{ $cond: [isRecent, '$failures', 0] }, 1] }],
                },
                lastAt: { $cond: [isPaused, '$lastAt', now] },
              },
            },
            {
              $set: {
                pausedUntil: {
                  // guard: sign-in-budget
                  $cond: [isPaused, '$pausedUntil', { $cond: [{ $gte: [beyond, 0] }, pauseEnd, null] }],
                },
              },
            },
          ],
          { lean: true, upsert: true, returnDocument: 'before', updatePipeline: true },
        )
        .exec()) as SignInAttempts | null
      return { pausedUntil: ahead(before, now) }
    },

    /** Resolves with the end of the pause, or with null, and counts nothing. */
    pausedUntil: async (id: string, now: Date): Promise<Date | null> =>
      ahead(await model.findById(id).lean<SignInAttempts>().exec(), now),

    clear: async (id: string) => {
      await model.deleteOne({ _id: id })
    },

    prune: (before: Date, stopping?: AbortSignal) =>
      deleteInBatches(model.collection as never, { lastAt: { $lt: before } }, stopping),
  }
}
