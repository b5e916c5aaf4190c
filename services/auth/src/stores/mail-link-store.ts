import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import { mailLinkKinds } from '../domain/mail-link.ts'
import type { MailLinkKind } from '../domain/mail-link.ts'
import { deleteInBatches } from './delete-in-batches.ts'

export interface MailLink {
  userId: string
  /** Keyed with kind and pepper: a token of one kind is none of the other. */
  tokenHash: string
  /** The address it was sent to; the link proves no other. */
  emailKey: string
  /** As it was typed; only in the link of a change of address. */
  email?: string
  /** The account's at the request; a later change of the password voids a change of address. */
  passwordChangedAt?: Date
  expiresAt: Date
}
/** The id is made of kind and account, so that a new link replaces the one before. */
type Row = MailLink & { _id: string }

const schema = new Schema<Row>(
  {
    _id: String,
    userId: { type: String, required: true },
    tokenHash: { type: String, required: true },
    emailKey: { type: String, required: true },
    email: String,
    passwordChangedAt: Date,
    expiresAt: { type: Date, required: true },
  },
  { collection: 'mail_links', versionKey: false },
)

/** The links that were mailed and not used yet: one of each kind for each account. */
export function createMailLinkStore(connection: Connection) {
  const model = connection.model('MailLink', schema)
  const valid = (tokenHash: string, now: Date) => ({ tokenHash, expiresAt: trusted({ $gt: now }) })
  return {
    replace: async (kind: MailLinkKind, link: MailLink, session: ClientSession) => {
      await model.replaceOne({ _id: `${kind}:${link.userId}` }, link, { upsert: true, session })
    },
    isValid: async (tokenHash: string, now: Date) => (await model.exists(valid(tokenHash, now))) !== null,
    /** Uses up a link; null when there is none. */
    consume: (tokenHash: string, now: Date, session: ClientSession) =>
      model
        .findOneAndDelete(valid(tokenHash, now), { session, lean: true })
        .exec() as Promise<MailLink | null>,
    removeOf: async (userId: string, session: ClientSession) => {
      const ids = mailLinkKinds.map((kind) => `${kind}:${userId}`)
      await model.deleteMany({ _id: trusted({ $in: ids }) }, { session })
    },
    pruneExpired: (before: Date) =>
      deleteInBatches(model.collection as never, { expiresAt: { $lt: before } }),
  }
}
