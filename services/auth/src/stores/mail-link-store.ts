import { randomUUID } from 'node:crypto'
import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import { mailLinkKinds } from '../domain/mail-link.ts'
import type { MailLinkKind } from '../domain/mail-link.ts'

export interface MailLink {
  userId: string
  /** The hash is keyed with the kind and a pepper, so that a token of one kind is not valid as another. */
  tokenHash: string
  /** The link was sent to this address and proves no other. */
  emailKey: string
  /** The address is kept as it was typed, but only in a link for a change of address. */
  email?: string
  /** The value that the account had at the request. A later change of the password voids a change of address. */
  passwordChangedAt?: Date
  expiresAt: Date
  /** A link to this address was used at this time. Since then, `expiresAt` is the end of this record. */
  usedAt?: Date
}
/** The id begins with the kind of the link and the user id. */
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
    usedAt: Date,
  },
  { collection: 'mail_links', versionKey: false },
)

/** A used link still confirms that its address is verified for this many days. */
const usedLinkDays = 30

/**
 * Stores the links that were mailed. Each works until it expires, or until a link of the same kind to the same address was
 * used.
 */
export function createMailLinkStore(connection: Connection) {
  const model = connection.model('MailLink', schema)
  const valid = (tokenHash: string, now: Date) => ({ tokenHash, expiresAt: trusted({ $gt: now }) })
  const ofKind = (kind: MailLinkKind, userId: string) => ({
    _id: trusted({ $regex: new RegExp(`^${kind}:${userId}:`) }),
  })
  const ofEveryKind = (userId: string) => ({ $or: mailLinkKinds.map((kind) => ofKind(kind, userId)) })
  return {
    add: async (kind: MailLinkKind, link: MailLink, session: ClientSession) => {
      await model.create([{ ...link, _id: `${kind}:${link.userId}:${randomUUID()}` }], { session })
    },
    isValid: async (tokenHash: string, now: Date) => (await model.exists(valid(tokenHash, now))) !== null,
    /** Finds a link that has not expired. A used one counts, too, because opening it again must succeed. */
    find: (tokenHash: string, now: Date, session: ClientSession) =>
      model.findOne(valid(tokenHash, now)).session(session).lean<MailLink>().exec(),
    /** Removes a valid link and resolves with it, or with null when there is none. */
    consume: (tokenHash: string, now: Date, session: ClientSession) =>
      model
        .findOneAndDelete(valid(tokenHash, now), { session, lean: true })
        .exec() as Promise<MailLink | null>,
    /** Marks all links of this kind to the address of a used link as used. */
    markUsed: async (
      kind: MailLinkKind,
      { userId, emailKey }: MailLink,
      now: Date,
      session: ClientSession,
    ) => {
      const change = { usedAt: now, expiresAt: new Date(now.getTime() + usedLinkDays * 86_400_000) }
      await model.updateMany(
        { ...ofKind(kind, userId), emailKey, usedAt: null },
        { $set: change },
        { session },
      )
    },
    removeOfKind: async (kind: MailLinkKind, userId: string, session: ClientSession) => {
      await model.deleteMany(ofKind(kind, userId), { session })
    },
    /** Removes the account's links to all addresses except this one; without a kind, links of all kinds. */
    removeOfOtherAddresses: async (
      { userId, emailKey }: Pick<MailLink, 'userId' | 'emailKey'>,
      session: ClientSession,
      kind?: MailLinkKind,
    ) => {
      const links = kind ? ofKind(kind, userId) : ofEveryKind(userId)
      await model.deleteMany({ ...links, emailKey: trusted({ $ne: emailKey }) }, { session })
    },
    removeOf: async (userId: string, session: ClientSession) => {
      await model.deleteMany(ofEveryKind(userId), { session })
    },
    pruneExpired: (before: Date, stopping?: AbortSignal) =>
      deleteInBatches(model.collection as never, { expiresAt: { $lt: before } }, stopping),
  }
}
