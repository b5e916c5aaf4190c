import { randomUUID } from 'node:crypto'
import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import { mailLinkKinds } from '../domain/mail-link.ts'
import type { MailLinkKind } from '../domain/mail-link.ts'

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
  /** When a link to this address was used; `expiresAt` is then the end of the memory of it. */
  usedAt?: Date
}
/** The id begins with kind and account. */
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

/** So long a used link still answers that its address is verified. */
const usedLinkDays = 30

/** The links that were mailed. Each works until it expires, or one of the same kind to the same address was used. */
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
    /** Also a used one. */
    find: (tokenHash: string, now: Date, session: ClientSession) =>
      model.findOne(valid(tokenHash, now)).session(session).lean<MailLink>().exec(),
    /** Uses up a link; null when there is none. */
    consume: (tokenHash: string, now: Date, session: ClientSession) =>
      model
        .findOneAndDelete(valid(tokenHash, now), { session, lean: true })
        .exec() as Promise<MailLink | null>,
    /** The links of this kind to the address of one that was used are used, too. */
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
    /** Ends the links to addresses that a newer one replaces; without a kind, those of all. */
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
