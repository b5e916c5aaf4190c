import { outboxMigration } from '@sumlock/bus/outbox'
import type { Migration } from '@sumlock/service-kit/migrations'

/** In order; an entry is never changed after it was merged. */
export const migrations: readonly Migration[] = [
  outboxMigration,
  {
    id: '0001-indexes',
    async up(connection) {
      await connection.collection('users').createIndexes([
        // guard: unique-username
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
    id: '0003-pruning',
    async up(connection) {
      for (const name of ['sessions', 'phone_verifications', 'phone_code_limits'])
        await connection.collection(name).createIndexes([{ key: { expiresAt: 1 }, name: 'expiresAt' }])
      await connection.collection('sign_in_attempts').createIndexes([{ key: { lastAt: 1 }, name: 'lastAt' }])
    },
  },
]
