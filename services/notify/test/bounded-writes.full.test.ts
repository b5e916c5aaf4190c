import { randomUUID } from 'node:crypto'
import { noticeRequested, userPurgeRequested } from '@sumlock/contracts/auth-events'
import type { EventContract } from '@sumlock/contracts/event'
import { toRecord } from '@sumlock/bus/envelope'
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
  async open(environment) {
    const opened = await createContext(readConfig(environment))
    const purges = {
      confirm: () => Promise.resolve({ isRepeated: false }),
      acknowledge: () => Promise.resolve(),
    }
    return (ctx = { ...opened, purges })
  },
  work: {
    'auth.notice-requested.v1': {
      run: () => handle(noticeRequested, { noticeId: randomUUID(), sealed, expiresAt: past.toISOString() }),
      rows: 1,
    },
    'auth.user-purge-requested.v1': {
      prepare: () => rowsOf('preferences').insertOne({ _id: userId as never, signInMails: false }),
      run: () => handle(userPurgeRequested, { userId }),
      rows: 1,
    },
    'delivering notices': {
      // Each one takes a command of its own.
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
  },
})
