import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEventOutbox } from '@sumlock/bus/outbox'
import { userUpdated } from '@sumlock/contracts/auth-events'
import { systemClock } from '@sumlock/service-kit/clock'
import type { Child } from '@sumlock/dev/processes/child'
import { createKafka } from '@sumlock/dev/engines/kafka'
import { freePorts } from '@sumlock/dev/processes/ports'
import { silent } from '@sumlock/dev/processes/progress'
import { sized } from '@sumlock/testing/config'
import { eventually } from '@sumlock/testing/wait'
import { personOf, startBed } from './bed.ts'
import type { Bed } from './bed.ts'

/** A broker of its own, so that no other suite misses it. */
let kafka: Child
let folder: string
let bed: Bed

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-bus-'))
  const [port, controllerPort] = (await freePorts(2)) as [number, number]
  kafka = await createKafka({ dataDir: folder, logDir: folder, port, controllerPort, progress: silent })
  await kafka.start()
  bed = await startBed({ kafkaBrokers: `127.0.0.1:${port}` })
})
afterAll(async () => {
  await bed?.stop()
  await kafka?.stop()
  await rm(folder, { recursive: true, force: true })
})

// A consumer that was there before is let back into its group only when the session of its former self has run out.
const [whoTakes, waits] = sized({
  small: ['a new consumer', false] as const,
  full: ['the consumer that waited', true] as const,
})

it(`loses nothing while Kafka is away: it is said in order once it is back, to ${whoTakes}`, async () => {
  const person = randomUUID()
  const database = await bed.database('auth')
  const { bus } = bed
  const options = { connection: database, bus, clock: systemClock(), logger: bus.logger, source: 'auth' }
  const outbox = createEventOutbox(options)
  const say = async (version: number) => {
    await database.transaction((session) => outbox.add(session, userUpdated, personOf(person, version)))
    outbox.kick()
  }
  const unsaid = () => database.collection('outbox').countDocuments({ pending: true })
  const taken: number[] = []
  const consume = () => bed.consume(({ version }) => void taken.push(version))
  if (waits) await consume().ready
  await say(1)
  await eventually(async () => expect(await unsaid()).toBe(0))

  await kafka.stop()
  for (const version of [2, 3, 4]) await say(version)
  expect(await unsaid()).toBe(3)
  await kafka.start()

  if (!waits) consume()
  // At least once: a batch whose acknowledgement was lost is said again.
  await eventually(() => expect([...new Set(taken)]).toEqual([1, 2, 3, 4]), { timeoutMs: 40_000 })
  await eventually(async () => expect(await unsaid()).toBe(0))
  await outbox.close()
}, 90_000)
