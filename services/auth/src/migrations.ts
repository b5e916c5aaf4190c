import { outboxMigration } from '@sumlock/bus/outbox'
import { adminActionsMigration } from '@sumlock/service-kit/admin-actions'
import type { Migration } from '@sumlock/service-kit/migrations'
import { rangesOf } from '@sumlock/service-kit/ranges-of'
import { oneShape } from './one-shape-migration.ts'

/** The migrations run in this order. Never edit a merged one. */
export const migrations: readonly Migration[] = [
  outboxMigration,
  {
    id: '0001-indexes',
    async up(connection) {
      await connection.collection('users').createIndexes([
        { key: { usernameKey: 1 }, name: 'usernameKey', unique: true },
        { key: { emailKey: 1 }, name: 'emailKey', unique: true },
        { key: { userCode: 1 }, name: 'userCode', unique: true },
      ])
      await connection.collection('sessions').createIndexes([
        { key: { cookieHash: 1 }, name: 'cookieHash', unique: true },
        { key: { userId: 1 }, name: 'userId' },
      ])
      await connection
        .collection('phone_verifications')
        .createIndexes([{ key: { phone: 1, sentAt: 1 }, name: 'phone' }])
    },
  },
  {
    id: '0002-session-changes',
    async up(connection) {
      const sessions = connection.collection('sessions')
      // The index is partial because most sessions never change, and contains `_id` so that it covers the query.
      await sessions.createIndexes([
        {
          key: { changedAt: 1, _id: 1 },
          name: 'changedAt',
          partialFilterExpression: { changedAt: { $exists: true } },
        },
      ])
      const admins = await connection
        .collection('users')
        .find({ isAdmin: true })
        .map(({ _id }) => String(_id))
        .toArray()
      for await (const _id of rangesOf(sessions))
        await sessions.updateMany({ _id, isAdmin: { $exists: false }, userId: { $nin: admins } } as never, {
          $set: { isAdmin: false },
        })
    },
  },
  {
    id: '0003-pruning',
    async up(connection) {
      for (const name of ['sessions', 'phone_verifications', 'phone_code_limits'])
        await connection.collection(name).createIndexes([{ key: { expiresAt: 1 }, name: 'expiresAt' }])
      await connection.collection('sign_in_attempts').createIndexes([{ key: { lastAt: 1 }, name: 'lastAt' }])
    },
  },
  {
    // Copies the counts of wrong entries, so that running pauses continue. Replicas of the previous version still count in
    // `users`.
    id: '0004-unlock-budgets',
    async up(connection) {
      const turn = { freeAt: new Date(0), lastSessionId: null, reservedFor: null }
      const users = connection.collection('users')
      for await (const _id of rangesOf(users))
        await users
          .aggregate([
            { $match: { _id, explicitFailures: { $gt: 0 } } },
            {
              $project: {
                version: { $literal: 1 },
                day: { $floor: { $divide: [{ $toLong: '$$NOW' }, 86_400_000] } },
                explicit: '$explicitFailures',
                pausedUntil: { $ifNull: ['$pausedUntil', null] },
                soft: { $literal: 0 },
                softSpentAt: { $literal: null },
                wrongEntries: '$explicitFailures',
                turn: { $literal: turn },
                sessions: { $literal: {} },
              },
            },
            { $merge: { into: 'unlock_budgets', whenMatched: 'keepExisting' } },
          ])
          .toArray()
    },
  },
  {
    id: '0005-mail-links',
    async up(connection) {
      await connection.collection('mail_links').createIndexes([
        { key: { tokenHash: 1 }, name: 'tokenHash', unique: true },
        { key: { expiresAt: 1 }, name: 'expiresAt' },
      ])
    },
  },
  {
    // Creates the collection, which has to exist before the first transaction that writes to it.
    id: '0007-retired-codes',
    async up(connection) {
      await connection.createCollection('retired_codes').catch((error: unknown) => {
        if ((error as { codeName?: string }).codeName !== 'NamespaceExists') throw error
      })
    },
  },
  {
    id: '0008-purge',
    async up(connection) {
      await connection.collection('users').createIndexes([
        {
          key: { purgeAt: 1 },
          name: 'purgeAt',
          partialFilterExpression: { purgeAt: { $type: 'date' } },
        },
      ])
      // Also creates the collection, before the first transaction that writes to it.
      await connection
        .collection('purged_ids')
        .createIndexes([{ key: { publishedAt: 1 }, name: 'publishedAt' }])
    },
  },
  {
    id: '0009-admin',
    async up(connection) {
      await connection
        .collection('users')
        .createIndexes([{ key: { createdAt: -1, _id: -1 }, name: 'createdAt' }])
      await connection.collection('access_log').createIndexes([
        { key: { userId: 1, at: -1 }, name: 'userId' },
        { key: { adminId: 1 }, name: 'adminId' },
        { key: { at: 1 }, name: 'at', expireAfterSeconds: 365 * 86_400 },
      ])
    },
  },
  {
    id: '0010-idle-devices',
    async up(connection) {
      await connection.collection('sessions').createIndexes([
        {
          key: { idleEndsAt: 1 },
          name: 'idleEndsAt',
          partialFilterExpression: { device: { $exists: true } },
        },
      ])
    },
  },
  {
    id: '0011-copy-keys',
    async up(connection) {
      await connection.collection('sessions').createIndexes([
        {
          key: { unlockedUntil: 1 },
          name: 'copyKey',
          partialFilterExpression: { copyKey: { $exists: true } },
        },
      ])
    },
  },
  {
    id: '0012-person-changes',
    async up(connection) {
      // The index is partial, because accounts from before this field do not have it.
      await connection.collection('users').createIndexes([
        {
          key: { changedAt: 1, _id: 1 },
          name: 'changedAt',
          partialFilterExpression: { changedAt: { $exists: true } },
        },
      ])
    },
  },
  {
    // Also creates the collection, before the first transaction that writes to it.
    id: '0013-known-keys',
    async up(connection) {
      await connection.collection('known_keys').createIndexes([{ key: { userId: 1 }, name: 'userId' }])
    },
  },
  {
    // Many accounts may claim an address, and one can prove it. The old index stays until the new ones are built.
    id: '0014-proven-addresses',
    async up(connection) {
      const users = connection.collection('users')
      await users.createIndexes([
        {
          key: { emailKey: 1 },
          name: 'provenEmail',
          unique: true,
          partialFilterExpression: { isEmailVerified: true },
        },
        { key: { emailKey: 1, createdAt: 1 }, name: 'claimedEmail' },
      ])
      await users.dropIndex('emailKey').catch((error: unknown) => {
        if ((error as { codeName?: string }).codeName !== 'IndexNotFound') throw error
      })
      // Also creates the collection, before the first transaction that writes to it.
      await connection.collection('mail_requests').createIndexes([
        { key: { dueAt: 1 }, name: 'due' },
        { key: { createdAt: 1 }, name: 'age' },
        { key: { userId: 1 }, name: 'userId' },
      ])
    },
  },
  {
    id: '0015-pending-resets',
    async up(connection) {
      await connection.collection('users').createIndexes([
        {
          key: { 'pendingReset.tryAt': 1 },
          name: 'pendingReset',
          partialFilterExpression: { 'pendingReset.tryAt': { $type: 'date' } },
        },
      ])
    },
  },
  {
    // Ended sessions stay stored until a day after they expire, and a search for open ones must not scan them.
    id: '0016-open-sessions',
    async up(connection) {
      const sessions = connection.collection('sessions')
      await sessions.createIndex({ userId: 1, revokedAt: 1 }, { name: 'openOfPerson' })
      if (await sessions.indexExists('userId')) await sessions.dropIndex('userId')
    },
  },
  adminActionsMigration,
  oneShape,
]
