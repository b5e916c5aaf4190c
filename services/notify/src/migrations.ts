import { inboxMigration, inboxRemoval } from '@sumlock/bus/inbox'
import { outboxMigration } from '@sumlock/bus/outbox'
import { dropCollection } from '@sumlock/service-kit/drop-collection'
import type { Migration } from '@sumlock/service-kit/migrations'

/** The migrations run in this order. Never edit a merged one. */
export const migrations: readonly Migration[] = [
  {
    id: '0001-indexes',
    async up(connection) {
      await connection
        .collection('deliveries')
        .createIndex(
          { dueAt: 1 },
          { name: 'due', partialFilterExpression: { state: { $in: ['queued', 'sending'] } } },
        )
    },
  },
  {
    id: '0002-index-of-settled',
    async up(connection) {
      await connection
        .collection('deliveries')
        .createIndex(
          { createdAt: 1 },
          { name: 'settled', partialFilterExpression: { state: { $in: ['sent', 'expired', 'failed'] } } },
        )
    },
  },
  {
    id: '0003-index-of-pending',
    async up(connection) {
      await connection
        .collection('deliveries')
        .createIndex(
          { createdAt: 1 },
          { name: 'pending', partialFilterExpression: { state: { $in: ['queued', 'sending'] } } },
        )
    },
  },
  outboxMigration,
  inboxMigration,
  inboxRemoval,
  {
    // The outbox held acknowledgements of purges, which are sent as HTTP calls now.
    id: '0004-removal-of-the-outbox',
    up: (connection) => dropCollection(connection, 'outbox'),
  },
  {
    id: '0005-index-of-due-by-channel',
    async up(connection) {
      const deliveries = connection.collection('deliveries')
      await deliveries.createIndex(
        { channel: 1, dueAt: 1 },
        { name: 'due-by-channel', partialFilterExpression: { state: { $in: ['queued', 'sending'] } } },
      )
      if (await deliveries.indexExists('due')) await deliveries.dropIndex('due')
    },
  },
]
