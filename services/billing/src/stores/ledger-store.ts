import { updateNext } from '@sumlock/service-kit/write-in-batches'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { Grant } from '../domain/ledger.ts'
import type { EndReason } from '../domain/payment.ts'

interface LedgerAccount {
  _id: string
  /** Every change increments the version. Since each transaction writes it, two changes for one person conflict. */
  version: number
  /** The ledger of the person last changed at this time. */
  changedAt: Date
}

const grantSchema = new Schema<Grant>(
  {
    _id: String,
    userId: { type: String, required: true },
    source: { type: String, required: true },
    startsAt: { type: Date, required: true },
    endsAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    removedAt: { type: Date, default: null },
    removedFor: String,
    kind: String,
    isSandbox: Boolean,
    afterStore: Date,
    placedAt: Date,
  },
  { collection: 'grants', versionKey: false },
)
const accountSchema = new Schema<LedgerAccount>(
  { _id: String, version: { type: Number, required: true }, changedAt: { type: Date, required: true } },
  { collection: 'accounts', versionKey: false },
)

/** Every change of the ledger runs in such a transaction. */
export type LedgerSession = ClientSession

/** Stores the grants of all people. A grant is never deleted. */
export function createLedgerStore(connection: Connection) {
  const grants = connection.model('Grant', grantSchema)
  const accounts = connection.model('Account', accountSchema)
  return {
    grant: (id: string, session: ClientSession | null = null) =>
      grants.findById(id).session(session).lean<Grant>().exec(),

    grantsOf: (userId: string, session: ClientSession | null = null) =>
      grants.find({ userId }).session(session).lean<Grant[]>().exec(),

    grantsOfAll: (userIds: readonly string[]) =>
      grants
        .find({ userId: trusted({ $in: [...userIds] }) })
        .lean<Grant[]>()
        .exec(),

    /** Resolves with versions by user id; people whose ledger never changed are left out. */
    versions: async (userIds: readonly string[]): Promise<Map<string, number>> => {
      const rows = await accounts
        .find({ _id: trusted({ $in: [...userIds] }) })
        .lean<LedgerAccount[]>()
        .exec()
      return new Map(rows.map(({ _id, version }) => [_id, version]))
    },

    version: async (userId: string) =>
      (await accounts.findById(userId).lean<LedgerAccount>().exec())?.version ?? 0,

    /** Increments the version. Of two concurrent transactions for one person, the later one is retried. */
    bump: async (userId: string, session: ClientSession) => {
      const account = await accounts
        .findOneAndUpdate(
          { _id: userId },
          { $inc: { version: 1 }, $currentDate: { changedAt: true } },
          { upsert: true, returnDocument: 'after', session },
        )
        .lean<LedgerAccount>()
        .exec()
      return account?.version ?? 1
    },

    /** Moves the next batch of grants to another user id; resolves with false when none is left. */
    moveGrants: (userId: string, standIn: string): Promise<boolean> =>
      updateNext(grants.collection, { userId }, { $set: { userId: standIn } }),
    removeAccount: async (userId: string) => {
      await accounts.deleteOne({ _id: userId })
    },

    /** Lists people whose ledger changed at this time or later, oldest change first. */
    changedSince: async (since: Date, limit: number): Promise<{ userId: string; changedAt: Date }[]> => {
      const rows = await accounts
        .find({ changedAt: trusted({ $gte: since }) })
        .sort({ changedAt: 1, _id: 1 })
        .limit(limit)
        .lean<LedgerAccount[]>()
        .exec()
      return rows.map(({ _id, changedAt }) => ({ userId: _id, changedAt }))
    },

    markRemoved: async (
      id: string,
      mark: { removedAt: Date; removedFor: EndReason },
      session: ClientSession,
    ) => {
      await grants.updateOne({ _id: id }, { $set: mark }, { session })
    },
    /** Removes the reason, so that it is no longer shown. The grant stays removed. */
    forgetReason: async (id: string, session: ClientSession) => {
      await grants.updateOne({ _id: id }, { $unset: { removedFor: 1 } }, { session })
    },

    moveEnd: async (id: string, endsAt: Date, session: ClientSession) => {
      await grants.updateOne({ _id: id }, { $set: { endsAt } }, { session })
    },

    append: async (grant: Grant, session: ClientSession) => {
      await grants.collection.insertOne(grant as never, { session })
    },
  }
}
