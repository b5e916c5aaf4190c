import { inboxMigration } from '@sumlock/bus/inbox'
import { outboxMigration } from '@sumlock/bus/outbox'
import type { Migration } from '@sumlock/service-kit/migrations'

/** Runs in order; never edit an entry that is merged. */
export const migrations: readonly Migration[] = [
  outboxMigration,
  {
    id: '0001-indexes',
    async up(connection) {
      await connection.createCollection('accounts')
      await connection.collection('grants').createIndex({ userId: 1 }, { name: 'userId' })
    },
  },
  inboxMigration,
]
