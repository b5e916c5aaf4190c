import type { Connection } from 'mongoose'
import type { Delivery } from '../src/domain/delivery.ts'
import { createDeliveryStore } from '../src/stores/delivery-store.ts'
import { keepDeliveriesMs, pruneDeliveries } from '../src/use-cases/prune-deliveries.ts'
import { openNotifyDatabase } from './notify-database.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const clock = { now: () => now, nowMs: () => now.getTime() }
const tooOld = new Date(now.getTime() - keepDeliveriesMs - 1)
const recent = new Date(now.getTime() - keepDeliveriesMs)

let connection: Connection
let close: () => Promise<void>
beforeEach(async () => {
  ;({ connection, close } = await openNotifyDatabase(clock))
})
afterEach(() => close?.())

const delivery = (_id: string, state: Delivery['state'], createdAt: Date): Delivery => ({
  _id,
  state,
  createdAt,
  sealed: null,
  attempts: 1,
  dueAt: now,
  expiresAt: now,
  lastError: null,
})
const rows = () => connection.collection<Delivery>('deliveries')

it('removes old settled deliveries, and keeps recent and pending ones', async () => {
  const deliveries = createDeliveryStore(connection)
  const states = ['queued', 'sending', 'sent', 'expired', 'failed'] as const
  await rows().insertMany(
    states.flatMap((state) => [
      delivery(`old ${state}`, state, tooOld),
      delivery(`recent ${state}`, state, recent),
      delivery(`new ${state}`, state, now),
    ]),
  )
  expect(await pruneDeliveries({ deliveries, clock })).toBe(3)
  const kept = (await rows().find().toArray()).map(({ _id }) => _id)
  expect(kept.sort()).toEqual([
    ...states.map((state) => `new ${state}`).sort(),
    'old queued',
    'old sending',
    'recent expired',
    'recent failed',
    'recent queued',
    'recent sending',
    'recent sent',
  ])
})

it('removes more old deliveries than fit into one batch, and finds them by an index', async () => {
  const deliveries = createDeliveryStore(connection)
  const old = Array.from({ length: 2500 }, (_, number) => delivery(`n${number}`, 'sent', tooOld))
  await rows().insertMany(old)
  const filter = { state: { $in: ['sent', 'expired', 'failed'] }, createdAt: { $lt: now } }
  const plan = await rows()
    .find(filter as object)
    .sort({ createdAt: 1 })
    .explain()
  expect(JSON.stringify(plan)).toContain('"indexName":"settled"')
  expect(await pruneDeliveries({ deliveries, clock })).toBe(2500)
  expect(await rows().countDocuments()).toBe(0)
})
