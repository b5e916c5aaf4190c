import { randomUUID } from 'node:crypto'
import { insertRows, many, walkBoundedWrites } from '@sumlock/testing/walk-bounded-writes'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { resetDue } from '../src/use-cases/carry-out-reset.ts'
import { pruneDue } from '../src/use-cases/prune-due.ts'
import { purgeDue } from '../src/use-cases/purge-due.ts'
import { writeDueMails } from '../src/use-cases/write-due-mails.ts'

let ctx: Context
const past = new Date('2026-01-01')
const later = new Date(Date.now() + 86_400_000)
const userId = randomUUID()
const insert = (name: string, row: object) =>
  insertRows(ctx.connection, name, many, () => ({
    ...{ _id: randomUUID(), cookieHash: randomUUID(), tokenHash: randomUUID() },
    ...row,
  }))

walkBoundedWrites('auth', {
  open: async (environment) => (ctx = await createContext(readConfig(environment))),
  work: {
    pruning: {
      async prepare() {
        await insert('sessions', { expiresAt: past })
        await insert('sessions', { expiresAt: later, unlockedUntil: past, copyKey: 'c' })
        await insert('sessions', { expiresAt: later, idleEndsAt: past, device: 'd' })
        for (const name of ['phone_verifications', 'mail_links', 'phone_code_limits'])
          await insert(name, { expiresAt: past })
        await insert('sign_in_attempts', { lastAt: past })
      },
      run: () => pruneDue(ctx, new Date()),
      rows: 7 * many,
    },
    purging: {
      async prepare() {
        await ctx.connection.collection('users').insertOne({
          _id: userId as never,
          ...{ usernameKey: userId, emailKey: userId, userCode: userId, purgeAt: past },
        })
        await insert('sessions', { userId, expiresAt: later, revokedAt: past })
        await insert('admin_actions', { adminId: userId, personIds: ['other'], at: new Date() })
        await insert('admin_actions', { adminId: 'admin', personIds: ['other', userId], at: new Date() })
      },
      async run() {
        await purgeDue(ctx)
        await ctx.connection.collection('purged_ids').updateMany({}, { $set: { publishedAt: past } })
        await purgeDue(ctx)
      },
      rows: 3 * many,
    },
    'carrying out resets': {
      async prepare() {
        await insertRows(ctx.connection, 'users', 50, () => {
          const id = randomUUID()
          const keys = { usernameKey: id, emailKey: id, userCode: id, pinMac: 'p' }
          return { _id: id, ...keys, pendingReset: { dueAt: past, tryAt: past, sessionId: 's' } }
        })
      },
      run: () => resetDue(ctx),
      rows: 100,
    },
    // Each has a transaction of its own.
    'writing mails': {
      prepare: () =>
        insertRows(ctx.connection, 'mail_requests', 50, () => ({
          ...{ _id: randomUUID(), kind: 'reset-password', email: 'a@b.co', emailKey: 'a@b.co' },
          ...{ createdAt: past, dueAt: past, expiresAt: later },
        })),
      run: () => writeDueMails(ctx),
      rows: 100,
    },
  },
})
