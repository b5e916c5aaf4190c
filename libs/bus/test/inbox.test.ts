import { randomUUID } from 'node:crypto'
import { createEventInbox, inboxMigration } from '@sumlock/bus/inbox'
import type { EventInbox } from '@sumlock/bus/inbox'
import { systemClock } from '@sumlock/service-kit/clock'
import { transact } from '@sumlock/service-kit/transact'
import { eventually } from '@sumlock/testing/wait'
import type { Connection } from 'mongoose'
import { personRecord, startBed } from './bed.ts'
import type { Bed } from './bed.ts'

const day = 86_400_000
let bed: Bed
let database: Connection
let inbox: EventInbox

beforeAll(async () => {
  bed = await startBed()
  database = await bed.database('billing')
  await inboxMigration.up(database)
  inbox = createEventInbox({ connection: database, clock: systemClock(), logger: bed.bus.logger })
})
afterAll(async () => {
  await inbox?.close()
  await bed?.stop()
})

const effects = (of: string) => database.collection('effects').countDocuments({ of })
/** An effect that would happen again with every delivery. */
const handle = (eventId: string, failure?: Error) =>
  transact(database, async (session) => {
    if (!(await inbox.recordOnce(session, 'gifts', eventId))) return
    await database.collection('effects').insertOne({ of: eventId }, { session })
    if (failure) throw failure
  })

it('gives an event its effect once when Kafka delivers it twice', async () => {
  const [person, twice, last] = [randomUUID(), randomUUID(), randomUUID()]
  const handled: string[] = []
  bed.consume(async (_person, eventId) => {
    await handle(eventId)
    handled.push(eventId)
  })
  const records = [twice, twice, last].map((eventId, version) => personRecord(person, version + 1, eventId))
  await bed.bus.publish(records)
  await eventually(() => expect(handled).toEqual([twice, twice, last]))
  expect(await Promise.all([twice, last].map(effects))).toEqual([1, 1])
})

it('gives an event its effect once when several processes handle it at the same time', async () => {
  const eventId = randomUUID()
  await Promise.all(Array.from({ length: 8 }, () => handle(eventId)))
  expect(await effects(eventId)).toBe(1)
})

it('forgets an event whose transaction was rolled back, so that the next delivery has its effect', async () => {
  const eventId = randomUUID()
  await expect(handle(eventId, new Error('rolled back'))).rejects.toThrow('rolled back')
  expect(await effects(eventId)).toBe(0)
  await handle(eventId)
  expect(await effects(eventId)).toBe(1)
})

it('knows the events of each consumer apart, and keeps them for 30 days', async () => {
  const eventId = randomUUID()
  const record = (consumer: string) =>
    transact(database, (session) => inbox.recordOnce(session, consumer, eventId))
  expect([await record('gifts'), await record('purge'), await record('gifts')]).toEqual([true, true, false])
  await inbox.prune(new Date(Date.now() + 29 * day))
  expect(await record('gifts')).toBe(false)
  await inbox.prune(new Date(Date.now() + 31 * day))
  expect(await record('gifts')).toBe(true)
  expect(
    JSON.stringify(
      await database
        .collection('inbox')
        .find({ recordedAt: { $lt: new Date() } })
        .explain(),
    ),
  ).toContain('"indexName":"recordedAt"')
})
