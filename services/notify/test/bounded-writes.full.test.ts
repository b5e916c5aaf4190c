import { randomUUID } from 'node:crypto'
import { noticeRequested, userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { EventContract } from '@sumlock/contracts/event'
import { purgeAcknowledged } from '@sumlock/contracts/purge-events'
import { toRecord } from '@sumlock/bus/envelope'
import { transact } from '@sumlock/service-kit/transact'
import { eventually } from '@sumlock/testing/wait'
import { insertRows, many, walkBoundedWrites } from '@sumlock/testing/walk-bounded-writes'
import { readConfig } from '../src/config.ts'
import { noticeHandlers } from '../src/consumers/notices.ts'
import { purgeHandlers } from '../src/consumers/purges.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { createDelivering } from '../src/use-cases/deliver-due.ts'
import { pruneDeliveries } from '../src/use-cases/prune-deliveries.ts'

let ctx: Context
const past = new Date(0)
const userId = randomUUID()
const rowsOf = (name: string) => ctx.connection.collection(name)
const insert = (name: string, row: object, count = many) =>
  insertRows(ctx.connection, name, count, () => ({ _id: randomUUID(), ...row }))
const handle = async (event: EventContract, data: object) => {
  const { value } = toRecord(event, data, { source: 'auth', time: new Date() })
  const handler = [...noticeHandlers(ctx, () => undefined), ...purgeHandlers(ctx)].find(
    (one) => one.event === event,
  )
  await handler?.handle(JSON.parse(value) as never)
}
const sealed = { keyId: 'k', iv: '', ciphertext: '', tag: '' }

walkBoundedWrites('notify', {
  open: async (environment) => (ctx = await createContext(readConfig(environment))),
  work: {
    'auth.notice-requested.v1': {
      run: () => handle(noticeRequested, { noticeId: randomUUID(), sealed, expiresAt: past.toISOString() }),
      rows: 1,
    },
    'auth.user-purge-requested.v1': {
      prepare: () => rowsOf('preferences').insertOne({ _id: userId as never, signInMails: false }),
      run: () => handle(userPurgeRequested, { userId }),
      // The preferences, the event in the inbox and the acknowledgement.
      rows: 3,
    },
    'delivering notices': {
      // Each is a command of its own.
      prepare: () => insert('deliveries', { state: 'queued', dueAt: past, expiresAt: past, attempts: 0 }, 30),
      async run() {
        const delivering = createDelivering(ctx, { onFree: () => undefined })
        for (let round = 0; round < 3; round += 1) {
          await delivering.begin()
          await delivering.settled()
        }
      },
      rows: 60,
    },
    'pruning deliveries': {
      prepare: () => insert('deliveries', { state: 'sent', createdAt: past }),
      run: () => pruneDeliveries(ctx),
      rows: many,
    },
    'publishing the outbox': {
      async prepare() {
        await transact(ctx.connection, (session) =>
          ctx.outbox.add(session, purgeAcknowledged, { userId, owner: 'notify' }),
        )
        const projection = { _id: 0, publishedAt: 0 }
        const row = await rowsOf('outbox').findOne({}, { projection })
        await insert('outbox', { ...row, pending: true, createdAt: new Date() })
      },
      async run() {
        ctx.outbox.kick()
        await eventually(async () => expect(await rowsOf('outbox').countDocuments({ pending: true })).toBe(0))
      },
      // A sweep may have begun before.
      rows: 500,
    },
    'pruning the outbox': {
      prepare: () => insert('outbox', { publishedAt: past }),
      run: () => ctx.outbox.prune(new Date()),
      rows: many,
    },
    'pruning the inbox': {
      prepare: () => insert('inbox', { recordedAt: past }),
      run: () => ctx.inbox.prune(new Date()),
      rows: many,
    },
  },
})
