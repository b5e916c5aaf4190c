import { randomUUID } from 'node:crypto'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import type { Grant } from '../domain/ledger.ts'

interface LedgerAccount {
  _id: string
  /** Incremented by every change. Each transaction writes it, so that two changes for one person conflict. */
  version: number
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
  },
  { collection: 'grants', versionKey: false },
)
const accountSchema = new Schema<LedgerAccount>(
  { _id: String, version: { type: Number, required: true } },
  { collection: 'accounts', versionKey: false },
)

/** The transaction of a change to the ledger. */
export type LedgerSession = ClientSession

/** The append-only ledger. */
export function createLedgerStore(connection: Connection) {
  const grants = connection.model('Grant', grantSchema)
  const accounts = connection.model('Account', accountSchema)
  return {
    grant: (id: string) => grants.findById(id).lean<Grant>().exec(),

    grantsOf: (userId: string, session: ClientSession | null = null) =>
      grants.find({ userId }).session(session).lean<Grant[]>().exec(),

    grantsOfAll: (userIds: readonly string[]) =>
      grants
        .find({ userId: trusted({ $in: [...userIds] }) })
        .lean<Grant[]>()
        .exec(),

    /** By person; a person without grants is not in it. */
    versions: async (userIds: readonly string[]): Promise<Map<string, number>> => {
      const rows = await accounts
        .find({ _id: trusted({ $in: [...userIds] }) })
        .lean<LedgerAccount[]>()
        .exec()
      return new Map(rows.map(({ _id, version }) => [_id, version]))
    },

    version: async (userId: string) =>
      (await accounts.findById(userId).lean<LedgerAccount>().exec())?.version ?? 0,

    /** Serialises changes for one person: of two concurrent transactions the later one is retried. */
    bump: async (userId: string, session: ClientSession) => {
      const account = await accounts
        .findOneAndUpdate(
          { _id: userId },
          { $inc: { version: 1 } },
          { upsert: true, returnDocument: 'after', session },
        )
        .lean<LedgerAccount>()
        .exec()
      return account?.version ?? 1
    },

    /** Moves the ledger of a person to a random id. */
    forgetPerson: async (userId: string, session: ClientSession) => {
      await grants.updateMany({ userId }, { $set: { userId: randomUUID() } }, { session })
      await accounts.deleteOne({ _id: userId }, { session })
    },

    append: async (grant: Grant, session: ClientSession) => {
      await grants.collection.insertOne(grant as never, { session })
    },
  }
}
