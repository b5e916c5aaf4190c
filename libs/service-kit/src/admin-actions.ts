import { randomUUID } from 'node:crypto'
import type { AdminActionKind } from '@sumlock/contracts/admin-action-routes'
import { limits } from '@sumlock/contracts/limits'
import type { ClientSession, Connection } from 'mongoose'
import type { Migration } from './migrations.ts'
import { updateInBatches, updateNext } from './write-in-batches.ts'

/**
 * A row records an act of an administrator, or that people's data were shown to one. MongoDB deletes it after a year;
 * until then a purge only replaces the purged person's id in it.
 */
export interface AdminAction {
  readonly _id: string
  readonly adminId: string
  readonly action: AdminActionKind
  /** The row names the people whose data were shown or whom the act concerned. */
  readonly personIds: readonly string[]
  readonly at: Date
  /** The number is set for grants of premium only. */
  readonly days?: number
}

/**
 * `peopleCount` is the number of all people of the row, while `personIds` may be cut to the first
 * `limits.namedPeople`.
 */
export type ListedAction = AdminAction & { readonly peopleCount: number }

export type NewAdminAction = Omit<AdminAction, '_id' | 'at'>

/** A person is shown the acts that concern them; acts of one kind within one minute are one row. */
export interface MinuteOfActions {
  readonly action: AdminActionKind
  readonly at: Date
  /** The value is the sum of granted days in this minute, and 0 for acts that grant none. */
  readonly days: number
}

export type AdminActionStore = ReturnType<typeof createAdminActionStore>

/** Creates the collection `admin_actions` with its indexes. A service adds this to its own list of migrations. */
export const adminActionsMigration: Migration = {
  id: 'admin-actions-0001-indexes',
  async up(connection) {
    await connection.collection('admin_actions').createIndexes([
      { key: { at: -1, _id: -1 }, name: 'newest' },
      { key: { personIds: 1 }, name: 'personIds' },
      { key: { adminId: 1 }, name: 'adminId' },
      { key: { at: 1 }, name: 'at', expireAfterSeconds: 365 * 86_400 },
    ])
  },
}

/** Returns the access to the table in which a service records the actions of administrators. */
export function createAdminActionStore(connection: Connection) {
  const rows = connection.collection<AdminAction>('admin_actions')
  const about = (userId: string) => ({ $or: [{ adminId: userId }, { personIds: userId }] })
  return {
    /** Adds a row. An act adds it in its own transaction, a read before it returns any data. */
    async add({ personIds, ...action }: NewAdminAction, at: Date, session?: ClientSession): Promise<void> {
      const row = { _id: randomUUID(), ...action, personIds: [...new Set(personIds)], at }
      await rows.insertOne(row, { ...(session && { session }) })
    },

    /**
     * Returns a page, latest row first, with the first people of each row. The result is null when the row `before`
     * no longer exists.
     */
    async page({ limit, before }: ActionQuery): Promise<ListedAction[] | null> {
      const last = before === undefined ? null : await rows.findOne({ _id: before })
      if (before !== undefined && !last) return null
      const older = last ? { $or: [{ at: { $lt: last.at } }, { at: last.at, _id: { $lt: last._id } }] } : {}
      const personIds = { $slice: ['$personIds', limits.namedPeople] }
      const parts = { adminId: 1, action: 1, at: 1, days: 1, personIds, peopleCount: { $size: '$personIds' } }
      return rows.find(older).project<ListedAction>(parts).sort({ at: -1, _id: -1 }).limit(limit).toArray()
    },

    /** Returns the acts of these kinds that concern a person, latest minute first. */
    minutesOf: (userId: string, actions: readonly AdminActionKind[], count: number) =>
      rows
        .aggregate<MinuteOfActions>([
          { $match: { personIds: userId, action: { $in: actions } } },
          {
            $group: {
              _id: { action: '$action', at: { $dateTrunc: { date: '$at', unit: 'minute' } } },
              days: { $sum: '$days' },
            },
          },
          { $project: { _id: 0, action: '$_id.action', at: '$_id.at', days: 1 } },
          { $sort: { at: -1, action: 1 } },
          { $limit: count },
        ])
        .toArray(),

    /**
     * Replaces a person's id by `standIn` in up to 500 rows. Resolves with false when no row contains the person's id
     * any more.
     */
    replaceNext: (userId: string, standIn: string): Promise<boolean> =>
      updateNext(rows, about(userId), replacing(userId, standIn)),

    /**
     * Replaces a person's id by `standIn` in all rows, 500 per command, and resolves with the number of changed rows.
     */
    replaceAll: (userId: string, standIn: string, stopping?: AbortSignal): Promise<number> =>
      updateInBatches(rows, about(userId), replacing(userId, standIn), stopping),
  }
}

export interface ActionQuery {
  limit: number
  before?: string | undefined
}

function replacing(userId: string, standIn: string) {
  const isPerson = (value: string) => ({ $eq: [value, { $literal: userId }] })
  const replaced = (value: string) => ({ $cond: [isPerson(value), { $literal: standIn }, value] })
  const personIds = { $map: { input: '$personIds', in: replaced('$$this') } }
  return [{ $set: { adminId: replaced('$adminId'), personIds } }]
}
