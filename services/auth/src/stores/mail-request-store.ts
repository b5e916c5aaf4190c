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

/** The requested mails with a link that are not written yet. */
export function createMailRequestStore(connection: Connection) {
  const model = connection.model('MailRequest', schema)
  return {
    add: async (request: MailRequest, session?: ClientSession) => {
      await model.collection.insertOne(request as never, session ? { session } : {})
    },
    /** Claims the next due request for `forMs`; null without one. */
    claim: (now: Date, forMs: number) =>
      model
        .findOneAndUpdate(
          { dueAt: trusted({ $lte: now }) },
          { $set: { dueAt: new Date(now.getTime() + forMs) } },
          { sort: { dueAt: 1 }, lean: true },
        )
        .exec() as Promise<MailRequest | null>,
    /** False when another process has removed it. */
    remove: async (id: string, session: ClientSession) =>
      (await model.deleteOne({ _id: id }, { session })).deletedCount === 1,
    /** Removes the account's requests for addresses that a newer one replaces; without a kind, requests of all kinds. */
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
    /** The requests that are not written yet, counted up to a limit. */
    backlog: async (countedTo: number): Promise<Backlog> => {
      const [size, oldest] = await Promise.all([
        model.countDocuments({}).limit(countedTo).exec(),
        model.findOne({}, { createdAt: 1 }).sort({ createdAt: 1 }).lean<{ createdAt: Date }>().exec(),
      ])
      return { size, oldest: oldest?.createdAt }
    },
  }
}
