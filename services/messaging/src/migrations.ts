import { inboxMigration } from '@sumlock/bus/inbox'
import { outboxMigration } from '@sumlock/bus/outbox'
import type { Migration } from '@sumlock/service-kit/migrations'

/** Runs in order; never edit an entry that is merged. group-commit.ts reads the index names. */
export const migrations: readonly Migration[] = [
  outboxMigration,
  {
    id: '0001-indexes',
    async up(connection) {
      await connection.collection('messages').createIndexes([
        {
          key: { conversationId: 1, senderId: 1, clientMessageId: 1 },
          // guard: stored-once
          name: 'clientMessageId',
          unique: true,
        },
        {
          key: { slot: 1 },
          // guard: one-slot-a-day
          name: 'slot',
          unique: true,
          partialFilterExpression: { slot: { $exists: true } },
        },
        {
          key: { createdAt: 1 },
          name: 'unpublished',
          partialFilterExpression: { unpublished: true },
        },
        {
          key: { conversationId: 1, seq: 1 },
          name: 'unpublishedOfConversation',
          partialFilterExpression: { unpublished: true },
        },
      ])
      await connection.collection('conversations').createIndexes([
        // guard: one-per-pair
        { key: { pair: 1 }, name: 'pair', unique: true },
        { key: { memberIds: 1 }, name: 'memberIds' },
      ])
      await connection.collection('people').createIndex({ userCodeKey: 1 }, { name: 'userCodeKey' })
    },
  },
  {
    id: '0002-entitlement-ends',
    async up(connection) {
      await connection.collection('entitlements').createIndex({ premiumUntil: 1 }, { name: 'premiumUntil' })
    },
  },
  {
    id: '0003-reports',
    async up(connection) {
      await connection.collection('reports').createIndexes([
        { key: { createdAt: -1 }, name: 'createdAt', expireAfterSeconds: 365 * 86_400 },
        { key: { reporterId: 1 }, name: 'reporterId' },
        { key: { reportedId: 1 }, name: 'reportedId' },
      ])
    },
  },
  inboxMigration,
  {
    id: '0004-emptying-due',
    async up(connection) {
      await connection
        .collection('conversations')
        .createIndex(
          { isEmptyingDue: 1 },
          { name: 'isEmptyingDue', partialFilterExpression: { isEmptyingDue: true } },
        )
    },
  },
]
