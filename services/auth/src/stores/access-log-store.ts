import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import type { Connection } from 'mongoose'

interface AccessRow {
  _id: string
  userId: string
  adminId: string
  at: Date
}

/**
 * Which admin was shown which account, to the minute. Only replicas of the previous release add rows, the present one writes
 * `admin_actions`; a row leaves after a year (index of migration 0009).
 */
export function createAccessLogStore(connection: Connection) {
  const rows = connection.collection<AccessRow>('access_log')
  return {
    latestOf: (userId: string, count: number): Promise<AccessRow[]> =>
      rows.find({ userId }).sort({ at: -1 }).limit(count).toArray(),
    /** Removes the rows about a person, and those of a person who was an admin. */
    removeOf: async (userId: string, stopping?: AbortSignal) => {
      for (const filter of [{ userId }, { adminId: userId }]) await deleteInBatches(rows, filter, stopping)
    },
  }
}
