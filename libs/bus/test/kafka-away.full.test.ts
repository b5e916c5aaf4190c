import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEventOutbox } from '@sumlock/bus/outbox'
import { systemClock } from '@sumlock/service-kit/clock'
import type { Child } from '@sumlock/dev/processes/child'
import { createKafka } from '@sumlock/dev/engines/kafka'
import { freePorts } from '@sumlock/dev/processes/ports'
import { silent } from '@sumlock/dev/processes/progress'
import { transact } from '@sumlock/service-kit/transact'
import { sized } from '@sumlock/testing/config'
import { eventually } from '@sumlock/testing/wait'
import { personChanged, personOf, startBed } from './bed.ts'
import type { Bed } from './bed.ts'

/** This suite has a broker of its own, because it stops the broker. */
let kafka: Child
let folder: string
let bed: Bed

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-bus-'))
  const [port, controllerPort] = (await freePorts(2)) as [number, number]
  kafka = await createKafka({ dataDir: folder, port, controllerPort, progress: silent })
  await kafka.start()
  bed = await startBed({ kafkaBrokers: `127.0.0.1:${port}` })
})
afterAll(async () => {
  await bed?.stop()
  await kafka?.stop()
  await rm(folder, { recursive: true, force: true })
})

// An earlier consumer can rejoin its group only after the session of its former member has expired.
const [consumerKind, waits] = sized({
  small: ['a new consumer', false] as const,
  full: ['the consumer that waited', true] as const,
})

it(`publishes events of an outage of Kafka in order once it is back, to ${consumerKind}`, async () => {
  const person = randomUUID()
  const database = await bed.database('auth')
  const { bus } = bed
  const options = { connection: database, bus, clock: systemClock(), logger: bus.logger, source: 'auth' }
  const outbox = createEventOutbox(options)
  const add = async (version: number) => {
    await transact(database, (session) => outbox.add(session, personChanged, personOf(person, version)))
    outbox.kick()
  }
  const unpublished = () => database.collection('outbox').countDocuments({ pending: true })
  const taken: number[] = []
  const consume = () => bed.consume(({ version }) => void taken.push(version))
  if (waits) await consume().ready
  await add(1)
  await eventually(async () => expect(await unpublished()).toBe(0))

  await kafka.stop()
  for (const version of [2, 3, 4]) await add(version)
  expect(await unpublished()).toBe(3)
  await kafka.start()

  if (!waits) consume()
  // Delivery is at least once: a batch whose acknowledgement was lost is sent again.
  await eventually(() => expect([...new Set(taken)]).toEqual([1, 2, 3, 4]), { timeoutMs: 40_000 })
  await eventually(async () => expect(await unpublished()).toBe(0))
  await outbox.close()
}, 90_000)
