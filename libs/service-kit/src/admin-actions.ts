import { randomUUID } from 'node:crypto'
import type { AdminActionKind } from '@sumlock/contracts/admin-action-routes'
import { limits } from '@sumlock/contracts/limits'
import type { ClientSession, Connection } from 'mongoose'
import type { Migration } from './migrations.ts'
import { updateInBatches, updateNext } from './write-in-batches.ts'

/** An act or a read of an administrator. Rows are only added; a purge replaces ids in them, and they end after a year. */
export interface AdminAction {
  readonly _id: string
  readonly adminId: string
  readonly action: AdminActionKind
  /** The people who were shown, or whom the act concerned. */
  readonly personIds: readonly string[]
  readonly at: Date
  /** Days of a grant. */
  readonly days?: number
}

/** `peopleCount` counts all people; `personIds` may hold only the first. */
export type ListedAction = AdminAction & { readonly peopleCount: number }

export type NewAdminAction = Omit<AdminAction, '_id' | 'at'>

/** The acts that one person is shown, one row for each minute. */
export interface MinuteOfActions {
  readonly action: AdminActionKind
  readonly at: Date
  /** 0 for an act without days. */
  readonly days: number
}

export type AdminActionStore = ReturnType<typeof createAdminActionStore>

/** The indexes of `admin_actions`; part of the service's list of migrations. Also creates the collection. */
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

/** The rows of a service about what administrators do in it. */
export function createAdminActionStore(connection: Connection) {
  const rows = connection.collection<AdminAction>('admin_actions')
  const about = (userId: string) => ({ $or: [{ adminId: userId }, { personIds: userId }] })
  return {
    /** Adds a row: in the transaction of an act, or before the answer of a read. */
    async add({ personIds, ...action }: NewAdminAction, at: Date, session?: ClientSession): Promise<void> {
      const row = { _id: randomUUID(), ...action, personIds: [...new Set(personIds)], at }
      await rows.insertOne(row, { ...(session && { session }) })
    },

    /** A page, the latest first, with the first people of each row; null when there is no row `before`. */
    async page({ limit, before }: ActionQuery): Promise<ListedAction[] | null> {
      const last = before === undefined ? null : await rows.findOne({ _id: before })
      if (before !== undefined && !last) return null
      const older = last ? { $or: [{ at: { $lt: last.at } }, { at: last.at, _id: { $lt: last._id } }] } : {}
      const personIds = { $slice: ['$personIds', limits.namedPeople] }
      const parts = { adminId: 1, action: 1, at: 1, days: 1, personIds, peopleCount: { $size: '$personIds' } }
      return rows.find(older).project<ListedAction>(parts).sort({ at: -1, _id: -1 }).limit(limit).toArray()
    },

    /** Returns the acts of these kinds that concern a person, latest first; acts of one kind within a minute become one row. */
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

    /** Puts an id in place of a person's in the next 500 rows; resolves with false when no more are left. */
    replaceNext: (userId: string, standIn: string): Promise<boolean> =>
      updateNext(rows, about(userId), replacing(userId, standIn)),

    /** Puts an id in place of a person's in all rows, 500 with a command. */
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
