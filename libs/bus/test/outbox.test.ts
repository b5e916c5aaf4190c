import { randomUUID } from 'node:crypto'
import { createEventOutbox } from '@sumlock/bus/outbox'
import type { EventOutbox } from '@sumlock/bus/outbox'
import { userUpdated } from '@sumlock/contracts/auth-events'
import { systemClock } from '@sumlock/service-kit/clock'
import { eventually } from '@sumlock/testing/wait'
import type { Connection } from 'mongoose'
import { personOf, personRecord, startBed } from './bed.ts'
import type { Bed } from './bed.ts'

const day = 86_400_000
const clock = systemClock()
let bed: Bed
let database: Connection
let taken: [string, number][]
const open: EventOutbox[] = []

beforeEach(async () => {
  bed = await startBed()
  database = await bed.database('auth')
  taken = []
  bed.consume(({ userId, version }) => void taken.push([userId, version]))
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((outbox) => outbox.close()))
  await bed.stop()
})

/** What a process has, from its start on; `aheadMs` is how far its clock is ahead. */
function startOutbox(aheadMs = 0): EventOutbox {
  const { bus } = bed
  const options = {
    connection: database,
    bus,
    clock: systemClock(aheadMs),
    logger: bus.logger,
    source: 'auth',
  }
  const outbox = createEventOutbox(options)
  open.push(outbox)
  return outbox
}
const say = (outbox: EventOutbox, userId: string, version: number) =>
  database.transaction((session) => outbox.add(session, userUpdated, personOf(userId, version)))
const rows = () => database.collection('outbox').find().toArray()

it('says what was committed, in order, once it is told to', async () => {
  const outbox = startOutbox()
  const person = randomUUID()
  for (const version of [1, 2, 3]) await say(outbox, person, version)
  outbox.kick()
  await eventually(() => expect(taken).toEqual([1, 2, 3].map((version) => [person, version])))
  await eventually(async () =>
    expect(await rows()).toEqual(Array(3).fill(expect.objectContaining({ publishedAt: expect.any(Date) }))),
  )
})

it('says nothing of a transaction that was taken back', async () => {
  const outbox = startOutbox()
  const person = randomUUID()
  const failing = database.transaction(async (session) => {
    await outbox.add(session, userUpdated, personOf(person, 1))
    throw new Error('taken back')
  })
  await expect(failing).rejects.toThrow('taken back')
  // About the same person, so behind it on the same partition: what was said before would be taken before.
  await say(outbox, person, 2)
  outbox.kick()
  await eventually(() => expect(taken).not.toEqual([]))
  expect(taken).toEqual([[person, 2]])
})

it('says in the next process what was stored before a crash, without being told to', async () => {
  const person = randomUUID()
  const crashed = startOutbox()
  await say(crashed, person, 1)
  await crashed.close()
  // Three seconds are left to the process itself; this clock shows that they are over.
  startOutbox(4000)
  await eventually(() => expect(taken).toEqual([[person, 1]]))
})

it('forgets what was said a week ago, at start already, and never what was not said', async () => {
  const old = new Date(clock.nowMs() - 8 * day)
  const recent = new Date(clock.nowMs() - 6 * day)
  const row = { topic: 'nowhere', key: 'k', value: '{}', createdAt: old }
  await database.collection<{ _id: string }>('outbox').insertMany([
    { _id: 'said long ago', ...row, publishedAt: old },
    { _id: 'said lately', ...row, publishedAt: recent },
    // Kafka was away for more than a week.
    { _id: 'never said', ...row, pending: true },
  ] as never)
  const ids = async () => (await rows()).map(({ _id }) => String(_id))
  startOutbox()
  await eventually(async () => expect(await ids()).toEqual(['said lately', 'never said']))
  await startOutbox().prune(new Date(clock.nowMs() + 2 * day))
  expect(await ids()).toEqual(['never said'])
})

it('finds what waits and what is to be forgotten by index', async () => {
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

it('says all of what an outage left, though it is more than Kafka takes at once', async () => {
  const person = randomUUID()
  const versions = Array.from({ length: 600 }, (_, index) => index + 1)
  // One key, so one partition: well over the 1 MiB a broker takes as one batch.
  await bed.bus.publish(
    versions.map((version) => ({
      ...personRecord(person, version),
      value: padded(personRecord(person, version)),
    })),
  )
  await eventually(() => expect(taken).toEqual(versions.map((version) => [person, version])))
})
const padded = ({ value }: { value: string }) => value + ' '.repeat(2500)
