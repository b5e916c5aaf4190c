import type { Entitlement, Person } from '@sumlock/contracts/internal-routes'
import { collectionOf } from '@sumlock/service-kit/collection-of'
import { Schema, trusted } from 'mongoose'
import type { ClientSession, Connection } from 'mongoose'
import { premiumUntilOf } from '../domain/entitlement.ts'
import type { AccountStatus } from '../domain/entitlement.ts'
import { followRows } from './follow-rows.ts'
import { upsertNewer } from './upsert-newer.ts'

interface EntitlementRow {
  _id: string
  premiumUntil: Date | null
  isGone?: boolean
  asksFirst?: boolean
  showsRead?: boolean
  keyEpoch?: number
  /** The facts from auth belong to this version of the person. */
  personVersion?: number
  /** This end of premium was published last. */
  announcedEnd?: Date
  version: number
  /** A field that sends need was last written at this time of the database's clock. */
  changedAt?: Date
  /** Premium or `isGone`, which partners see, was last written at this time of the database's clock. */
  shownChangeAt?: Date
}

const schema = new Schema<EntitlementRow>(
  {
    _id: String,
    premiumUntil: { type: Date, default: null },
    announcedEnd: Date,
    isGone: Boolean,
    asksFirst: Boolean,
    showsRead: Boolean,
    keyEpoch: Number,
    personVersion: Number,
    version: { type: Number, required: true },
    changedAt: Date,
    shownChangeAt: Date,
  },
  { collection: 'entitlements', versionKey: false },
)

const modelOf = (connection: Connection) => connection.model('Entitlement', schema)
type EntitlementModel = ReturnType<typeof modelOf>

/** A new row starts with these values, because billing may not have published anything about the person yet. */
const newRow = { premiumUntil: null, version: 0 }
/** Every update sets this date, so that the caches of all replicas read the row again. */
const changed = { $currentDate: { changedAt: true } } as const
const changedForPartners = { $currentDate: { changedAt: true, shownChangeAt: true } } as const
export type EntitlementStore = ReturnType<typeof createEntitlementStore>

/**
 * Stores the facts about people that sends need: the end of premium from billing, and from auth the newest key and whether
 * the account is being deleted.
 */
export function createEntitlementStore(connection: Connection) {
  const model = modelOf(connection)
  const rows = collectionOf<EntitlementRow>(connection, 'entitlements')
  return {
    ...createPremiumEnds(model),

    /** Returns entitlements by person; a person without an entry has no premium. */
    statusesOf: async (userIds: readonly string[]): Promise<Map<string, AccountStatus>> => {
      const rows = await model
        .find({ _id: trusted({ $in: [...userIds] }) })
        .lean<EntitlementRow[]>()
        .exec()
      return new Map(rows.map((row) => [row._id, row]))
    },
    followChanges: () => followRows(rows, 'changedAt'),
    /**
     * Returns the id of the person, if any of the person's facts changed, and of all people with a change that partners
     * see; at most `count`.
     */
    changedSince: async (userId: string, since: Date, count: number): Promise<string[]> => {
      const own = { _id: userId as never, changedAt: { $gte: since } }
      const rows = await model.collection
        .find({ $or: [own, { shownChangeAt: { $gte: since } }] }, { projection: { _id: 1 } })
        .limit(count)
        .toArray()
      return rows.map(({ _id }) => String(_id))
    },
    /**
     * Stores the facts from auth in this collection, because sends read it anyway. Resolves with false when this version or
     * a newer one was stored before.
     */
    savePerson: (
      { userId, version, isLeaving, keys }: Pick<Person, 'userId' | 'version' | 'isLeaving' | 'keys'>,
      session?: ClientSession,
    ): Promise<boolean> => {
      const keyEpoch = keys?.at(-1)?.epoch
      const update = {
        ...(isLeaving === undefined ? changed : { $set: { isGone: isLeaving }, ...changedForPartners }),
        ...(keyEpoch === undefined ? {} : { $max: { keyEpoch } }),
        $setOnInsert: newRow,
      }
      return upsertNewer(model.collection, { id: userId, field: 'personVersion', version, update, session })
    },
    /** Adds the random ids that replace erased people. Sends to them are refused. */
    addGone: async (ids: readonly string[], version: number): Promise<void> => {
      const $set = { isGone: true, personVersion: version }
      const update = { $set, $setOnInsert: newRow, ...changedForPartners }
      const updates = ids.map((_id) => ({
        updateOne: { filter: { _id: _id as never }, update, upsert: true },
      }))
      await model.collection.bulkWrite(updates, { ordered: false })
    },
    /** Keys are only added, so the highest epoch belongs to the newest key. */
    raiseKeyEpoch: async (userId: string, keyEpoch: number): Promise<void> => {
      const update = { $max: { keyEpoch }, $setOnInsert: newRow, ...changed }
      await model.updateOne({ _id: userId }, update, { upsert: true }).exec()
    },
    remove: async (userId: string): Promise<void> => {
      await model.deleteOne({ _id: userId })
    },
    setPreferences: async (
      userId: string,
      { asksFirst, showsRead }: Pick<AccountStatus, 'asksFirst' | 'showsRead'>,
    ) => {
      const $set = {
        ...(asksFirst !== undefined && { asksFirst }),
        ...(showsRead !== undefined && { showsRead }),
      }
      await model
        .updateOne({ _id: userId }, { $set, $setOnInsert: newRow, ...changed }, { upsert: true })
        .exec()
    },
    /** Resolves with false when this version or a newer one was stored before. */
    save: (entitlement: Entitlement, session?: ClientSession): Promise<boolean> => {
      const { userId: id, version } = entitlement
      const update = { $set: { premiumUntil: premiumUntilOf(entitlement) }, ...changedForPartners }
      return upsertNewer(model.collection, { id, field: 'version', version, update, session })
    },
  }
}

/** An end of premium is published to the person and all partners, and then marked. */
function createPremiumEnds(model: EntitlementModel) {
  return {
    /** Returns the ends of premium within this period that were not published yet, the earliest first. */
    unpublishedEnds: async (
      { after, until }: { after: Date; until: Date },
      { skip, limit }: { skip: number; limit: number },
    ): Promise<{ userId: string; end: Date }[]> => {
      const rows = await model
        .find({
          premiumUntil: trusted({ $gt: after, $lte: until }),
          $expr: trusted({ $ne: ['$premiumUntil', '$announcedEnd'] }),
        })
        .sort({ premiumUntil: 1, _id: 1 })
        .skip(skip)
        .limit(limit)
        .lean<EntitlementRow[]>()
        .exec()
      return rows.map(({ _id, premiumUntil }) => ({ userId: _id, end: premiumUntil ?? until }))
    },
    markEndPublished: async (userId: string, end: Date): Promise<void> => {
      await model.updateOne({ _id: userId }, { $set: { announcedEnd: end }, ...changedForPartners }).exec()
    },
  }
}
