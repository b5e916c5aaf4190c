import { limits } from '@sumlock/contracts/limits'
import { trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { User } from '../domain/user.ts'
import type { MailLink } from './mail-link-store.ts'
import { userModelOf } from './user-model.ts'

const plain = { lean: true, returnDocument: 'after' } as const

/** Changes the account password and the PIN. */
export function createUserCredentials(connection: Connection) {
  const model = userModelOf(connection)
  return {
    /**
     * Changes the password, and marks the address as proven, because the link was read there. Resolves with null when the
     * account has another address by now. Throws when another account has proven the address.
     */
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

    /** Resolves with false when the password was changed since `user` was read. */
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

    /** Does nothing if the password was changed in between. */
    replacePasswordHash: async ({ _id, passwordHash }: User, next: string) => {
      await model.updateOne({ _id, passwordHash }, { $set: { passwordHash: next } })
    },

    /** Resolves with false when a PIN was set already, or the app was reset since `user` was read. */
    setPin: async ({ _id, resetAt }: User, pin: { pinMac: string; isDiscreet: boolean }) => {
      const unchanged = { _id, pinMac: null, resetAt: resetAt ?? null, isClearPending: null }
      return (await model.updateOne(unchanged, { $set: pin, $inc: { pinVersion: 1 } })).modifiedCount === 1
    },

    /**
     * Removes the PIN and the boxes of the keys. No other PIN can be set until `settleClearing`. Discreet mode stays,
     * because it concerns the phone and not the PIN.
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

    /** Counts a right silent entry. Resolves with the new count; null when the hint was shown before. */
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
