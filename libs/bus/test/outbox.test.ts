import { randomUUID } from 'node:crypto'
import { createEventOutbox } from '@sumlock/bus/outbox'
import type { EventOutbox } from '@sumlock/bus/outbox'
import { systemClock } from '@sumlock/service-kit/clock'
import { transact } from '@sumlock/service-kit/transact'
import { eventually } from '@sumlock/testing/wait'
import type { Connection } from 'mongoose'
import { personChanged, personOf, personRecord, startBed } from './bed.ts'
import type { Bed } from './bed.ts'

const day = 86_400_000
const clock = systemClock()
let bed: Bed
let database: Connection
let taken: [string, number][]
type Records = Parameters<Bed['bus']['publish']>[0]
let publish: Bed['bus']['publish']
const open: EventOutbox[] = []

beforeEach(async () => {
  bed = await startBed()
  database = await bed.database('auth')
  taken = []
  publish = bed.bus.publish
  bed.consume(({ userId, version }) => void taken.push([userId, version]))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((outbox) => outbox.close()))
  await bed.stop()
})

function startOutbox(clock = systemClock()): EventOutbox {
  const bus = { ...bed.bus, publish: (records: Records) => publish(records), clientId: randomUUID() }
  const options = {
    connection: database,
    bus,
    clock,
    logger: bus.logger,
    source: 'auth',
  }
  const outbox = createEventOutbox(options)
  open.push(outbox)
  return outbox
}
const add = (outbox: EventOutbox, userId: string, version: number) =>
  transact(database, (session) => outbox.add(session, personChanged, personOf(userId, version)))
const rows = () => database.collection('outbox').find().toArray()

it('publishes committed events in order when it is kicked', async () => {
  const outbox = startOutbox()
  const person = randomUUID()
  for (const version of [1, 2, 3]) await add(outbox, person, version)
  outbox.kick()
  await eventually(() => expect(taken).toEqual([1, 2, 3].map((version) => [person, version])))
  await eventually(async () =>
    expect(await rows()).toEqual(Array(3).fill(expect.objectContaining({ publishedAt: expect.any(Date) }))),
  )
})

it('publishes nothing of a transaction that was rolled back', async () => {
  const outbox = startOutbox()
  const person = randomUUID()
  const failing = transact(database, async (session) => {
    await outbox.add(session, personChanged, personOf(person, 1))
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  // Both events have the same key and thus the same partition, so an earlier event would be consumed first.
  await add(outbox, person, 2)
  outbox.kick()
  await eventually(() => expect(taken).not.toEqual([]))
  expect(taken).toEqual([[person, 2]])
})

it('publishes events that a crashed process left behind, without a kick', async () => {
  const person = randomUUID()
  const crashed = startOutbox()
  await add(crashed, person, 1)
  await crashed.close()
  // A sweep leaves events of the last three seconds to the kick; this clock is beyond them.
  startOutbox(systemClock(4000))
  await eventually(() => expect(taken).toEqual([[person, 1]]))
})

it('removes events published a week ago, at start already, and never an unpublished one', async () => {
  const old = new Date(clock.nowMs() - 8 * day)
  const recent = new Date(clock.nowMs() - 6 * day)
  const row = { topic: 'nowhere', key: 'k', value: '{}', createdAt: old }
  await database.collection<{ _id: string }>('outbox').insertMany([
    { _id: 'published long ago', ...row, publishedAt: old },
    { _id: 'published recently', ...row, publishedAt: recent },
    // Kafka was away for more than a week.
    { _id: 'never published', ...row, pending: true },
  ] as never)
  const ids = async () => (await rows()).map(({ _id }) => String(_id))
  startOutbox()
  await eventually(async () => expect(await ids()).toEqual(['published recently', 'never published']))
  await startOutbox().prune(new Date(clock.nowMs() + 2 * day))
  expect(await ids()).toEqual(['never published'])
})

it('four processes publish each event once and in order', async () => {
  const people = Array.from({ length: 6 }, () => randomUUID())
  const processes = [startOutbox(), startOutbox(), startOutbox(), startOutbox()]
  const published: string[] = []
  publish = (records) => {
    published.push(...records.map(({ value }) => String(value)))
    return bed.bus.publish(records)
  }
  const versions = Array.from({ length: 20 }, (_, index) => index + 1)
  await Promise.all(
    people.map(async (person, index) => {
      for (const version of versions) {
        const outbox = processes[(index + version) % 4] as EventOutbox
        await add(outbox, person, version)
        outbox.kick()
      }
    }),
  )
  const pending = { pending: true }
  await eventually(async () => expect(await database.collection('outbox').countDocuments(pending)).toBe(0))
  expect(new Set(published).size).toBe(people.length * versions.length)
  expect(published).toHaveLength(people.length * versions.length)
  const versionsOf = (person: string) =>
    published
      .map((value) => JSON.parse(value) as { data: { userId: string; version: number } })
      .filter(({ data }) => data.userId === person)
      .map(({ data }) => data.version)
  for (const person of people) expect(versionsOf(person)).toEqual(versions)
})

it('is not published further by a process that was suspended while another one took the lease over', async () => {
  const row = { topic: 'nowhere', key: 'k', value: '{}', createdAt: new Date(0), pending: true }
  await database.collection('outbox').insertMany(Array.from({ length: 600 }, () => ({ ...row })))
  let suspendedMs = 0
  const nowMs = () => clock.nowMs() + suspendedMs
  const batches: number[] = []
  const begun = Promise.withResolvers<void>()
  publish = async (records) => {
    batches.push(records.length)
    if (batches.length > 1) return
    suspendedMs = 10_000
    const taken = { owner: 'another', until: new Date(nowMs() + 60_000) }
    await database.collection<{ _id: string }>('leases').updateOne({ _id: 'outbox' }, { $set: taken })
    begun.resolve()
  }
  const outbox = startOutbox({ nowMs, now: () => new Date(nowMs()) })
  outbox.kick()
  await begun.promise
  await outbox.close()
  expect(batches).toEqual([500])
})

it('finds pending and expired events by index', async () => {
  const table = database.collection('outbox')
  const planOf = async (query: { explain(verbosity: 'queryPlanner'): Promise<unknown> }) =>
    JSON.stringify(await query.explain('queryPlanner'))
  const plans = [
    table.find({ pending: true, createdAt: { $lte: new Date() } }).sort({ createdAt: 1 }),
    table.find({ publishedAt: { $lt: new Date() } }),
  ].map(planOf)
  expect(await Promise.all(plans)).toEqual([
    expect.stringContaining('"indexName":"unpublished"'),
    expect.stringContaining('"indexName":"published"'),
  ])
})

it('publishes the whole backlog of an outage, although Kafka takes less at once', async () => {
  const person = randomUUID()
  const versions = Array.from({ length: 600 }, (_, index) => index + 1)
  // All have one key and thus one partition, and exceed the 1 MiB that a broker takes as one batch.
  await bed.bus.publish(
    versions.map((version) => ({
      ...personRecord(person, version),
      value: padded(personRecord(person, version)),
    })),
  )
  await eventually(() => expect(taken).toEqual(versions.map((version) => [person, version])))
})
const padded = ({ value }: { value: string }) => value + ' '.repeat(2500)
