import { randomUUID } from 'node:crypto'
import { userPurgeRequested } from '@sumlock/contracts/auth-events'
import { subscriptionEnded } from '@sumlock/contracts/billing-events'
import { toRecord } from '@sumlock/bus/envelope'
import { transact } from '@sumlock/service-kit/transact'
import { eventually } from '@sumlock/testing/wait'
import { insertRows, many, walkBoundedWrites } from '@sumlock/testing/walk-bounded-writes'
import { readConfig } from '../src/config.ts'
import { purgeHandlers } from '../src/consumers/purges.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { jobKinds } from '../src/job-kinds.ts'
import { runDue } from '../src/use-cases/run-due.ts'

let ctx: Context
const past = new Date(0)
const userId = randomUUID()
const insert = (name: string, row: object) =>
  insertRows(ctx.connection, name, many, () => ({
    ...{ _id: randomUUID(), storeKey: randomUUID(), codeHash: randomUUID() },
    ...row,
  }))

/** Auth does not run here. */
const confirmedPurges = {
  confirm: () => Promise.resolve({ isRepeated: false }),
  acknowledge: () => Promise.resolve(),
}

walkBoundedWrites('billing', {
  async open(environment) {
    const opened = await createContext(readConfig(environment))
    return (ctx = { ...opened, purges: confirmedPurges })
  },
  work: {
    'auth.user-purge-requested.v1': {
      async prepare() {
        for (const name of ['grants', 'payments', 'mobile_subscriptions', 'promo_code_redemptions'])
          await insert(name, { userId })
        await insert('subscription_gifts', { buyerId: userId })
        await insert('subscription_gifts', { redeemedBy: userId })
        await insert('admin_actions', { adminId: userId, personIds: [userId], at: new Date() })
      },
      async run() {
        const { value } = toRecord(userPurgeRequested, { userId }, { source: 'auth', time: new Date() })
        for (const { handle } of purgeHandlers(ctx)) await handle(JSON.parse(value) as never)
      },
      rows: 1,
    },
    // The previous event has requested this job.
    purge: { run: () => ctx.jobs.run(jobKinds(ctx)), rows: 7 * many },
    'finishing payments and gifts': {
      async prepare() {
        await insert('subscription_gifts', { status: 'sent', expiresAt: past })
        await insert('subscription_gifts', { status: 'created', paidAt: null, createdAt: past })
        await insert('payments', { status: 'failed', paidAt: null, createdAt: past })
        await insert('promo_code_redemptions', { status: 'pending', createdAt: past })
        await insert('redeem_tries', { expiresAt: past })
        await insert('store_notifications', { seenAt: past })
      },
      run: () => runDue(ctx, new Date()),
      // Pending promo codes fail first and are then removed.
      rows: 7 * many,
    },
    'publishing the outbox': {
      async prepare() {
        await transact(ctx.connection, (session) => ctx.outbox.add(session, subscriptionEnded, { userId }))
        const projection = { _id: 0, publishedAt: 0 }
        const row = await ctx.connection.collection('outbox').findOne({}, { projection })
        await insert('outbox', { ...row, pending: true, createdAt: new Date() })
      },
      async run() {
        ctx.outbox.kick()
        await eventually(async () =>
          expect(await ctx.connection.collection('outbox').countDocuments({ pending: true })).toBe(0),
        )
      },
      // A sweep may have begun before.
      rows: 500,
    },
    'pruning the outbox': {
      prepare: () => insert('outbox', { publishedAt: past }),
      run: () => ctx.outbox.prune(new Date()),
      rows: many,
    },
  },
})
