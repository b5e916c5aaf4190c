import { inboxMigration, inboxRemoval } from '@sumlock/bus/inbox'
import { outboxMigration } from '@sumlock/bus/outbox'
import { adminActionsMigration } from '@sumlock/service-kit/admin-actions'
import { jobsMigration } from '@sumlock/service-kit/job-store'
import type { Migration } from '@sumlock/service-kit/migrations'
import { updateInBatches } from '@sumlock/service-kit/write-in-batches'
import { disputedGiftsExpire, endedGiftsForget } from './stores/gift-store.ts'

/** The migrations run in this order. Never edit a merged one. */
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
  {
    id: '0002-payments-and-gifts',
    async up(connection) {
      await connection
        .collection('accounts')
        .createIndex({ changedAt: 1 }, { name: 'changedAt', sparse: true })
      await connection.collection<{ openKey: string }>('payments').createIndexes([
        { key: { openKey: 1 }, name: 'openKey', unique: true, sparse: true },
        { key: { checkedAt: 1 }, name: 'open', partialFilterExpression: { status: 'created' } },
        { key: { userId: 1 }, name: 'userId' },
      ])
      await connection.collection('subscription_gifts').createIndexes([
        { key: { codeHash: 1 }, name: 'codeHash', unique: true },
        { key: { status: 1, expiresAt: 1 }, name: 'status' },
        { key: { buyerId: 1 }, name: 'buyerId' },
        { key: { redeemedBy: 1 }, name: 'redeemedBy', sparse: true },
      ])
      await connection.collection('mobile_subscriptions').createIndexes([
        { key: { storeKey: 1 }, name: 'storeKey', unique: true },
        { key: { userId: 1, expiryDate: -1 }, name: 'userId' },
        { key: { checkedAt: 1 }, name: 'checkedAt' },
        {
          key: { isAcknowledged: 1 },
          name: 'unacknowledged',
          partialFilterExpression: { isAcknowledged: false },
        },
      ])
      await connection.collection('promo_code_redemptions').createIndexes([
        { key: { userId: 1, createdAt: -1 }, name: 'userId' },
        { key: { createdAt: 1 }, name: 'pending', partialFilterExpression: { status: 'pending' } },
      ])
      await connection.collection('store_notifications').createIndex({ seenAt: 1 }, { name: 'seenAt' })
      await connection.collection('redeem_tries').createIndex({ expiresAt: 1 }, { name: 'expiresAt' })
    },
  },
  jobsMigration,
  endedGiftsForget,
  {
    id: '0004-indexes-of-what-was-never-paid',
    async up(connection) {
      const createdAt = { createdAt: 1 } as const
      const unpaid = { name: 'unpaid', partialFilterExpression: { paidAt: null } }
      await connection.collection('payments').createIndex(createdAt, unpaid)
      await connection.collection('subscription_gifts').createIndex(createdAt, unpaid)
      const byStatus = { status: 1, createdAt: 1 } as const
      await connection.collection('promo_code_redemptions').createIndex(byStatus, { name: 'status' })
    },
  },
  inboxRemoval,
  adminActionsMigration,
  disputedGiftsExpire,
  {
    id: '0006-changed-at-of-every-account',
    async up(connection) {
      const undated = { changedAt: { $exists: false } }
      // The date lies before every reader's position in the change feed. With the present time, all accounts would be listed
      // as changed in one instant and fill its pages.
      await updateInBatches(connection.collection('accounts'), undated, { $set: { changedAt: new Date(0) } })
    },
  },
  {
    id: '0007-list-of-changes-by-its-order',
    async up(connection) {
      const accounts = connection.collection('accounts')
      await accounts.createIndex({ changedAt: 1, _id: 1 }, { name: 'changes' })
      const indexes = await accounts.listIndexes().toArray()
      if (indexes.some(({ name }) => name === 'changedAt')) await accounts.dropIndex('changedAt')
    },
  },
]
