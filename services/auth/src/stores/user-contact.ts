import type { ClientSession, Connection } from 'mongoose'
import type { User } from '../domain/user.ts'
import type { MailLink } from './mail-link-store.ts'
import { changedNow, userModelOf } from './user-model.ts'

/** Changes the e-mail address, name, phone number and code of a user. */
export function createUserContact(connection: Connection) {
  const model = userModelOf(connection)
  return {
    /**
     * Resolves with false when the account has another address by now. Like `changeEmail`, throws when another account has
     * proven the address.
     */
    verifyEmail: async ({ userId, emailKey }: MailLink, session: ClientSession) =>
      (await model.updateOne({ _id: userId, emailKey }, { $set: { isEmailVerified: true } }, { session }))
        .matchedCount === 1,

    /**
     * Gives the account the address of the link, which is verified by its use. Resolves with the user before the change;
     * null when the password was changed since the request.
     */
    changeEmail: ({ userId, email, emailKey, passwordChangedAt }: MailLink, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { _id: userId, passwordChangedAt: passwordChangedAt ?? null },
          { $set: { email, emailKey, isEmailVerified: true } },
          { lean: true, session },
        )
        .exec() as Promise<User | null>,

    setFullName: async (id: string, fullName: string) => {
      await model.updateOne({ _id: id }, { $set: { fullName } })
    },

    setPhone: async (id: string, phone: string, session: ClientSession) => {
      await model.updateOne({ _id: id }, { $set: { phone, isPhoneVerified: true } }, { session })
    },

    /** Replaces the code and resolves with the user before the change; null when there is no user. */
    replaceUserCode: (id: string, userCode: string, session: ClientSession) =>
      model
        .findOneAndUpdate(
          { _id: id },
          { $set: { userCode }, $inc: { version: 1 }, ...changedNow },
          { lean: true, session },
        )
        .exec() as Promise<User | null>,
  }
}
