import { dropCollection } from '@sumlock/service-kit/drop-collection'
import type { Connection } from 'mongoose'

// Handled events were kept there; every effect is idempotent by itself now.

/** Part of the lists of migrations of earlier releases. */
export const inboxMigration = {
  id: 'inbox-0001-indexes',
  async up(connection: Connection): Promise<void> {
    await connection.collection('inbox').createIndex({ recordedAt: 1 }, { name: 'recordedAt' })
  },
}

/** Removes it. A replica of the release before creates it again, and needs no row of it. */
export const inboxRemoval = {
  id: 'inbox-0002-removal',
  async up(connection: Connection): Promise<void> {
    await dropCollection(connection, 'inbox')
  },
}
