import { dropCollection } from '@sumlock/service-kit/drop-collection'
import type { Connection } from 'mongoose'

/**
 * The collection `inbox` listed the handled events. It is no longer needed, because every effect is idempotent by itself.
 * The migration stays, because databases have recorded it.
 */
export const inboxMigration = {
  id: 'inbox-0001-indexes',
  async up(connection: Connection): Promise<void> {
    await connection.collection('inbox').createIndex({ recordedAt: 1 }, { name: 'recordedAt' })
  },
}

/** Removes the collection `inbox`. */
export const inboxRemoval = {
  id: 'inbox-0002-removal',
  async up(connection: Connection): Promise<void> {
    await dropCollection(connection, 'inbox')
  },
}
