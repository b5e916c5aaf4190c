import type { Backlog } from '@sumlock/service-kit/backlog-metrics'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { MailLinkKind } from '../domain/mail-link.ts'
import type { MailRequest } from '../domain/mail-request.ts'

const schema = new Schema<MailRequest>(
  {
    _id: String,
    kind: { type: String, required: true },
    userId: String,
    email: { type: String, required: true },
    emailKey: { type: String, required: true },
    passwordChangedAt: Date,
    createdAt: { type: Date, required: true },
    dueAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'mail_requests', versionKey: false },
)

/** Stores the requests for mails with a link that are not written yet. */
export function createMailRequestStore(connection: Connection) {
  const model = connection.model('MailRequest', schema)
  return {
    add: async (request: MailRequest, session?: ClientSession) => {
      await model.collection.insertOne(request as never, session ? { session } : {})
    },
    /** Claims the next due request for `forMs` milliseconds; resolves with null when none is due. */
    claim: (now: Date, forMs: number) =>
      model
        .findOneAndUpdate(
          { dueAt: trusted({ $lte: now }) },
          { $set: { dueAt: new Date(now.getTime() + forMs) } },
          { sort: { dueAt: 1 }, lean: true },
        )
        .exec() as Promise<MailRequest | null>,
    /** Resolves with false when another process has removed the request. */
    remove: async (id: string, session: ClientSession) =>
      (await model.deleteOne({ _id: id }, { session })).deletedCount === 1,
    /** Removes the account's requests for all addresses except this one; without a kind, requests of all kinds. */
    removeOfOtherAddresses: async (
      { userId, emailKey }: { userId: string; emailKey: string },
      session: ClientSession,
      kind?: MailLinkKind,
    ) => {
      const replaced = { userId, emailKey: trusted({ $ne: emailKey }), ...(kind && { kind }) }
      await model.deleteMany(replaced, { session })
    },
    removeOf: async (userId: string, session: ClientSession) => {
      await model.deleteMany({ userId }, { session })
    },
    /** Counts the requests that are not written yet, up to `countedTo`, and finds the oldest of them. */
    backlog: async (countedTo: number): Promise<Backlog> => {
      const [size, oldest] = await Promise.all([
        model.countDocuments({}).limit(countedTo).exec(),
        model.findOne({}, { createdAt: 1 }).sort({ createdAt: 1 }).lean<{ createdAt: Date }>().exec(),
      ])
      return { size, oldest: oldest?.createdAt }
    },
  }
}
