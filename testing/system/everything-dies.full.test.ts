import { setTimeout as wait } from 'node:timers/promises'
import { requestPhoneCode } from '@sumlock/contracts/auth-routes'
import { Client } from '@sumlock/deployment/api-client'
import { testSeed } from '../kit/config.ts'
import { withDatabase } from '../kit/database.ts'
import { untakenEvents } from '../kit/events.ts'
import { startFaultStack } from '../kit/faults/fault-stack.ts'
import type { FaultStack } from '../kit/faults/fault-stack.ts'
import { seededRandom } from '../kit/faults/seeded-random.ts'
import { mailsFor } from '../kit/inbox.ts'
import { createNumberedWriters } from '../kit/numbered-writers.ts'
import { adminPerson } from '../kit/people.ts'
import { seatPairs } from '../kit/seats.ts'
import type { Seat } from '../kit/seats.ts'
import { expectAllWritten } from '../kit/stored-messages.ts'
import { eventually } from '../kit/wait.ts'

const pairs = 20
const perPerson = 50
const total = pairs * 2 * perPerson
/** Pause between two messages of one person: 57 a second together. */
const paceMs = 700
const smsCodes = 30

let stack: FaultStack
let seats: Seat[] = []
beforeAll(async () => {
  stack = await startFaultStack({ logName: 'everything-dies', replicas: { messaging: 2, realtime: 2 } })
}, 120_000)
afterAll(async () => {
  for (const { device } of seats) device.close()
  await stack?.stop()
}, 120_000)

const say = (line: string) => process.stdout.write(`  ${line}\n`)

it('loses, doubles and reorders none of 2,000 messages while Kafka, Redis, MongoDB and messaging are killed, and applies every event once', async () => {
  const seed = testSeed()
  say(`seed ${seed}`)
  const random = seededRandom(seed)
  const admin = await adminPerson(stack)
  seats = await seatPairs(stack, admin, pairs)
  const writers = createNumberedWriters(seats)
  const { acknowledged, reach } = writers

  const killFor = async (name: 'kafka' | 'redis' | 'mongo', ms: number) => {
    const engine = stack.engines.engine(name)
    await engine.kill('SIGKILL')
    const before = acknowledged.length
    await wait(ms)
    const during = acknowledged.length - before
    say(`${name} killed at ${before} acknowledgements, ${during} more until it was started`)
    await engine.start()
    return during
  }
  const kafkaOutage = async () => {
    await reach(300)
    expect(await killFor('kafka', 10_000)).toBeGreaterThanOrEqual(200)
  }
  const redisOutage = async () => {
    await reach(700)
    await killFor('redis', 4000)
  }
  const mongoOutage = async () => {
    await reach(1300)
    await killFor('mongo', 3000)
  }
  const messagingKills = async () => {
    const moments = Array.from({ length: 5 }, () => Math.floor(random() * 0.9 * total)).sort((a, b) => a - b)
    for (const moment of moments) {
      await reach(moment)
      const instance = stack.service('messaging', random() < 0.5 ? 0 : 1)
      say(`${instance.name} killed at ${acknowledged.length} acknowledgements`)
      await instance.kill('SIGKILL')
      await instance.start()
    }
  }
  const startedAt = performance.now()
  const written = writers
    .write(perPerson, paceMs)
    .then(() => say(`${total} written in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`))
  const phones = Array.from(
    { length: smsCodes },
    (_, index) =>
      `+49156${String(seed * 100 + index)
        .padStart(8, '0')
        .slice(-8)}`,
  )
  await Promise.all([
    written,
    kafkaOutage(),
    redisOutage(),
    mongoOutage(),
    messagingKills(),
    askForCodes(phones),
  ])
  await writers.allSent()

  await expectAllWritten(stack, seats, writers)
  await everyEffectIsThereOnce(phones)

  // Publishes every event again, as after a crash between publishing an event and marking it.
  await sayEverythingAgain()
  await everyEffectIsThereOnce(phones)
  const [bySocket, byFetch] = [writers.received('receivedBySocket'), writers.received('receivedByFetch')]
  say(`received by socket ${bySocket}, by fetch ${byFetch}`)
}, 480_000)

/** Requests one grant a second, each until it succeeds. */
async function askForCodes(phones: readonly string[]): Promise<void> {
  for (const phone of phones) {
    await eventually(
      async () => {
        const client = new Client({ gatewayUrl: stack.gatewayUrl })
        expect((await client.call(requestPhoneCode, { body: { phone } })).status).toBe(200)
      },
      { timeoutMs: 60_000, everyMs: 500 },
    )
    await wait(1000)
  }
}

/** Marks every event of auth and billing as unpublished and waits until each was published and handled a second time. */
async function sayEverythingAgain(): Promise<void> {
  for (const owner of ['auth', 'billing'] as const) {
    await withDatabase(stack, owner, async (database) => {
      const outbox = database.collection('outbox')
      const { modifiedCount } = await outbox.updateMany(
        {},
        { $set: { pending: true }, $unset: { publishedAt: 1 } },
      )
      expect(modifiedCount).toBeGreaterThan(0)
      await eventually(async () => expect(await outbox.countDocuments({ pending: true })).toBe(0), {
        timeoutMs: 60_000,
      })
    })
  }
  await eventually(async () => expect(await untakenEvents(stack)).toBe(0), { timeoutMs: 60_000 })
}

async function everyEffectIsThereOnce(phones: readonly string[]): Promise<void> {
  const rows = (owner: 'auth' | 'billing' | 'messaging' | 'notify', collection: string) =>
    withDatabase(stack, owner, (database) => database.collection(collection).find({}).toArray())
  await eventually(
    async () => {
      expect(await untakenEvents(stack)).toBe(0)
      const asked = await rows('auth', 'phone_verifications')
      for (const phone of phones) {
        const mails = await mailsFor(stack.addresses.inboxUrl, `${phone}@sms.local`)
        // A request whose answer was lost counts, too: its stored code is sent once.
        expect(mails).toHaveLength(asked.filter((row) => row['phone'] === phone).length)
        expect(mails.length).toBeGreaterThanOrEqual(1)
      }
      const notices = (await rows('auth', 'outbox')).filter((row) => row['topic'] === 'auth.notices')
      const deliveries = await rows('notify', 'deliveries')
      expect(deliveries.map((row) => row['state'] as string)).toEqual(notices.map(() => 'sent'))
      const users = await rows('auth', 'users')
      expect(await rows('messaging', 'people')).toHaveLength(users.length)
      const accounts = await rows('billing', 'accounts')
      const entitlementRows = await rows('messaging', 'entitlements')
      const entitlements = entitlementRows.filter(({ version }) => Number(version) > 0)
      expect(entitlements.map(versionOf).sort()).toEqual(accounts.map(versionOf).sort())
    },
    { timeoutMs: 60_000, everyMs: 500 },
  )
}

const versionOf = (row: Record<string, unknown>) => `${String(row['_id'])} ${String(row['version'])}`
