import { collectionOf } from '@sumlock/service-kit/collection-of'
import type { StoredCursor } from '@sumlock/service-kit/change-feed'
import type { Connection } from 'mongoose'

interface CursorRow {
  /** The key is the name of a list. */
  _id: string
  until: Date
}

/** Stores the time up to which each list of another service was read. */
export function createCursorStore(connection: Connection) {
  const rows = collectionOf<CursorRow>(connection, 'cursors')
  return {
    of: (list: string): StoredCursor => ({
      read: async () => (await rows.findOne({ _id: list }))?.until,
      moveTo: async (until) => {
        await rows.updateOne({ _id: list }, { $max: { until } }, { upsert: true })
      },
    }),
  }
}
