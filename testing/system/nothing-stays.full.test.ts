import { join } from 'node:path'
import { deleteAccount } from '@sumlock/contracts/account-routes'
import { purgeOwners } from '@sumlock/contracts/internal-routes'
import { deadLetterConfig, deadLetterTopic, topics } from '@sumlock/contracts/topics'
import { everyService } from '@sumlock/deployment/every-service'
import { unprovision } from '@sumlock/deployment/provision'
import { startServices } from '@sumlock/dev/product/services'
import type { Stack } from '@sumlock/dev/product/services'
import { createRedis } from '@sumlock/service-kit/redis'
import pino from 'pino'
import { withDatabase } from '../kit/database.ts'
import { settled } from '../kit/database-snapshot.ts'
import { publishedIn } from '../kit/events.ts'
import { longTimeouts } from '../kit/long-timeouts.ts'
import { liveLife } from '../kit/marked-person.ts'
import type { Life } from '../kit/marked-person.ts'
import { storedObjects } from '../kit/media.ts'
import { readPlaces, recordRedis } from '../kit/search-marks.ts'
import { documentedFields, isDocumented, leftOnDay30, storedValues } from '../kit/stored-fields.ts'
import { randomNamespace, testEngines } from '../kit/test-engines.ts'
import { eventually } from '../kit/wait.ts'

const dayMs = 86_400_000
const namespace = randomNamespace()
const begunAt = Date.now()
/** A busy machine may fail a task of the start, which is repeated only minutes later or at the next start. */
const starts = 4
const patience = { timeoutMs: 25_000, everyMs: 250 }

let stack: Stack
let life: Life
/** Starts all services with their clocks this many days ahead, and waits until everything due by then is done. */
async function moveTo(days: number, isDone: () => Promise<unknown>): Promise<void> {
  const { addresses, secrets, dataDir } = await testEngines()
  const env = longTimeouts(everyService({ CLOCK_OFFSET_MS: String(days * dayMs) }))
  const logDir = join(dataDir, 'logs', namespace)
  const options = { addresses, secrets, namespace, logDir, env }
  for (let left = starts - 1; ; left -= 1) {
    await stack?.stop()
    stack = await startServices({ ...options, mode: 'test', logLevel: 'debug', oneProcess: true })
    try {
      await eventually(isDone, patience)
      return
    } catch (failure) {
      if (left === 0) throw failure
    }
  }
}
beforeAll(async () => {
  await moveTo(0, () => Promise.resolve())
  life = await liveLife(stack)
  await settled(stack)
}, 300_000)
afterAll(async () => {
  await stack?.stop()
  if (stack) await unprovision(stack.addresses, namespace)
}, 60_000)

const undocumented = async () => {
  const documented = documentedFields()
  const paths = new Set((await storedValues(stack)).map(({ path }) => path))
  return [...paths].filter((path) => {
    const [owner, collection, ...field] = path.split('.')
    return !isDocumented(field.join('.'), documented.get(`${owner}.${collection}`) ?? new Set())
  })
}

/** The marks in a text, by their names. */
const marksIn = (text: string) => Object.keys(life.marks).filter((name) => text.includes(life.marks[name]!))

async function markedFields(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const { path, value } of await storedValues(stack)) {
    const marks = marksIn(value)
    if (marks.length > 0) found[path] = [...new Set([...(found[path] ?? []), ...marks])].sort()
  }
  return found
}

/** The events that Kafka keeps until a time: a segment is closed some hours after its first record at the latest. */
async function keptEvents(at: number): Promise<string[]> {
  const kept: string[] = []
  for (const topic of topics)
    for (const [name, config] of [
      [topic.name, topic.config],
      [deadLetterTopic(topic.name), deadLetterConfig(topic)],
    ] as const)
      for (const record of await publishedIn(stack, name)) {
        const { time } = JSON.parse(record) as { time: string }
        const keptMs = Number(config['retention.ms']) + Number(config['segment.ms'])
        if (Date.parse(time) + keptMs > at) kept.push(record)
      }
  return kept
}

/** Redis gives this for a key that has ended since. */
const isGone = -2

/** The names and lifetimes of the keys of this namespace in Redis. */
async function redisKeys(): Promise<{ key: string; ttlMs: number }[]> {
  const redis = createRedis(stack.addresses.redisUrl, pino({ level: 'silent' }))
  try {
    await eventually(() => redis.ping())
    const keys = await redis.keys(`*${namespace}*`)
    const lifetimes = await Promise.all(keys.map(async (key) => ({ key, ttlMs: await redis.pttl(key) })))
    return lifetimes.filter(({ ttlMs }) => ttlMs !== isGone)
  } finally {
    redis.disconnect()
  }
}

it('every field of every document that a whole life has stored is in the table', async () => {
  expect(await undocumented()).toEqual([])
})

it('the search finds everything that a whole life has stored', async () => {
  const fields = await markedFields()
  const inDatabases = new Set(Object.values(fields).flat())
  // The cookie is stored as a hash, names of files are not stored, attached texts are sealed, a redeemed gift has lost
  // its message, and acts have replaced two texts.
  const hidden = ['attached', 'cookie', 'fileName', 'former', 'redeemedGift', 'unsent']
  expect(Object.keys(life.marks).filter((name) => !inDatabases.has(name))).toEqual(
    expect.arrayContaining(hidden),
  )
  expect([...inDatabases, ...hidden].sort()).toEqual(Object.keys(life.marks).sort())
  expect(Object.keys(fields)).toEqual(
    expect.arrayContaining([
      'auth.admin_actions.adminId',
      'auth.admin_actions.personIds',
      'billing.subscription_gifts.redeemedBy',
      'messaging.admin_actions.personIds',
      'messaging.reports.reportedId',
      'messaging.reports.reporterId',
      'messaging.slots._id',
    ]),
  )
  expect(marksIn((await keptEvents(begunAt)).join())).toEqual(expect.arrayContaining(['id', 'premium']))
  const objects = await storedObjects(stack)
  for (const key of life.objects.own.slice(0, 2))
    expect(objects.filter((name) => name.startsWith(key))).toHaveLength(1)
})

it('on day 30 only allowed fields are left of a person who was recipient, reporter, reported and admin', async () => {
  const { client, password, user } = life.person
  await client.ok(deleteAccount, { body: { password } })
  await settled(stack)
  const purged = () =>
    withDatabase(stack, 'auth', (database) =>
      database.collection('purged_ids').findOne({ _id: user.id as never }),
    )

  await moveTo(14.1, async () => {
    expect(await purged()).not.toBeNull()
    expect(await storedObjects(stack)).toHaveLength(1)
  })
  await moveTo(15.2, async () => {
    expect((await purged())?.['acknowledgedBy']).toEqual(expect.arrayContaining([...purgeOwners]))
    expect(await purged()).toHaveProperty('doneAt')
  })
  await settled(stack)

  const redis = await recordRedis(stack)
  await moveTo(30, async () => {
    const fields = await markedFields()
    // The address begins with the user name.
    expect(fields).toEqual({
      'auth.purged_ids._id': ['id'],
      'auth.retired_codes._id': ['newCode', 'userCode'],
      'billing.subscription_gifts.giftMessage': ['fullName', 'openGift'],
      'billing.subscription_gifts.recipientEmail': ['email', 'username'],
    })
    expect(Object.keys(fields).sort()).toEqual(leftOnDay30().sort())
  })
  expect(await undocumented()).toEqual([])

  expect((await keptEvents(begunAt + 30 * dayMs)).filter((record) => marksIn(record).length > 0)).toEqual([])
  const elsewhere = [...(await readPlaces(stack, redis))].filter(([place]) => /^(log|redis)/.test(place))
  redis.close()
  expect(elsewhere.length).toBeGreaterThan(2)
  expect(elsewhere.flatMap(([place, text]) => marksIn(text).map((mark) => [place, mark]))).toEqual([])
  for (const { ttlMs } of await redisKeys()) {
    expect(ttlMs).toBeGreaterThan(0)
    expect(ttlMs).toBeLessThanOrEqual(dayMs)
  }
  const objects = await storedObjects(stack)
  expect(objects.map((name) => name.startsWith(life.objects.friends))).toEqual([true])
})
