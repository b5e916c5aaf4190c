import { randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { listMessages, markRead, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Stack } from '@sumlock/dev/product/services'
import { startServices } from '@sumlock/dev/product/services'
import { mediaBucketSettings } from '@sumlock/deployment/media-bucket'
import { databaseUrls, unprovision } from '@sumlock/deployment/provision'
import { Client } from '@sumlock/deployment/api-client'
import { settled } from '@sumlock/testing/database-snapshot'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import type { TestEngines } from '@sumlock/testing/test-engines'
import { eventually } from '@sumlock/testing/wait'
import { adminPerson, befriend, makePremium, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { openBucket } from '../src/bucket.ts'
import type { Bucket } from '../src/bucket.ts'
import { makeBackup } from '../src/make-backup.ts'
import type { BackupOptions } from '../src/make-backup.ts'
import { restoreBackup } from '../src/restore-backup.ts'
import { backupOptions, onDatabases } from './setup.ts'
import { fingerprint } from './fingerprint.ts'

const namespace = randomNamespace()
const hourMs = 3_600_000
const photo = randomBytes(300_000)
let engines: TestEngines
let stack: Stack
let bucket: Bucket
let options: BackupOptions
let ada: Person
let conversationId: string
let backup: Awaited<ReturnType<typeof makeBackup>>
let before: Record<string, string>

/** The fields that a restore does not bring back. */
const signIns = ['auth.sessions', 'auth.mail_links', 'auth.mail_requests', 'auth.phone_verifications']
const lasting = (found: Record<string, string>) =>
  Object.fromEntries(Object.entries(found).filter(([name]) => !signIns.includes(name)))

const startStack = () =>
  startServices({
    addresses: engines.addresses,
    secrets: engines.secrets,
    namespace,
    mode: 'test',
    logLevel: 'warn',
    logDir: join(engines.dataDir, 'logs', namespace),
  })

/** Returns the texts that messaging stores. */
async function storedTexts(): Promise<string[]> {
  const texts: string[] = []
  await onDatabases(options, async ({ owner, db }) => {
    if (owner === 'messaging')
      texts.push(...(await db.collection<{ content: string }>('messages').distinct('content')))
  })
  return texts.filter(Boolean).sort()
}

async function wipe(): Promise<void> {
  await onDatabases(options, async ({ db }) => {
    await db.dropDatabase()
  })
  for await (const key of bucket.keys()) await bucket.remove(key)
}

beforeAll(async () => {
  engines = await testEngines()
  stack = await startStack()
  const settings = mediaBucketSettings(engines.addresses, namespace)
  options = await backupOptions(databaseUrls(engines.addresses, engines.secrets, namespace), settings)
  bucket = openBucket(settings)
  const admin = await adminPerson(stack)
  ada = await unlockedPerson(stack, { pin: '018152' })
  const ben = await unlockedPerson(stack)
  await makePremium(admin, ada)
  conversationId = (await befriend(ada, ben)).id
  for (const content of ['first', 'second — with a dash', 'third 🔐'])
    await ada.client.ok(sendMessage, { body: { conversationId, content } })
  const fleeting = { conversationId, content: 'gone soon', vanishMs: hourMs } as const
  const { seq } = await ada.client.ok(sendMessage, { body: fleeting })
  await ben.client.ok(markRead, { params: { id: conversationId }, body: { seq } })
  const head = {
    contentType: 'image/jpeg',
    cacheControl: null,
    contentDisposition: null,
    metadata: { of: 'x' },
  }
  await bucket.write('photo', head, photo.length, Readable.from([photo]))
  await bucket.write('empty', { ...head, metadata: {} }, 0, Readable.from([Buffer.alloc(0)]))
  const later = new Date(Date.now() + 86_400_000)
  await onDatabases(options, async ({ owner, db }) => {
    const waiting = { _id: 'asked for' as never, dueAt: later, expiresAt: later, createdAt: new Date() }
    if (owner === 'auth') await db.collection('mail_requests').insertOne(waiting)
  })
  await settled(stack)
  backup = await makeBackup(options)
  await stack.stop()
  before = await fingerprint(options, bucket)
}, 300_000)

afterAll(async () => {
  await stack.stop()
  bucket.close()
  await unprovision(engines.addresses, namespace)
  await rm(options.folder, { recursive: true })
})

it('saves all data of the services, as of one cluster time, in files that only their owner can read', async () => {
  const saved = Object.fromEntries(
    backup.manifest.databases.flatMap(({ owner, collections }) =>
      collections.map(({ name, count }) => [`${owner}.${name}`, count]),
    ),
  )
  expect(saved).toMatchObject({ 'auth.users': 3, 'messaging.messages': 4, 'billing.grants': 1 })
  expect(saved['notify.deliveries']).toBeGreaterThan(0)
  expect(new Set(backup.manifest.databases.map(({ clusterTime }) => clusterTime)).size).toBe(1)
  const files = await readdir(backup.path)
  const modes = await Promise.all(
    files.map(async (file) => (await stat(join(backup.path, file))).mode & 0o777),
  )
  expect(files.filter((_, index) => modes[index] !== 0o600)).toEqual([])
})

it('refuses to overwrite existing data, and leaves it unchanged', async () => {
  await expect(restoreBackup(options)).rejects.toThrow(/There is already data in .*auth\.users.*--replace/)
  expect(await fingerprint(options, bucket)).toEqual(before)
})

it('restores every collection, index and object after all data was deleted', async () => {
  await wipe()
  expect(await fingerprint(options, bucket)).toEqual({})
  await restoreBackup(options)
  expect(lasting(await fingerprint(options, bucket))).toEqual(lasting(before))
})

it('undoes changes, additions and deletions since the backup with --replace', async () => {
  await onDatabases(options, async ({ db }) => {
    await db.collection('made_later').insertOne({ of: 'a later version' })
    await db.collection('_migrations').deleteMany({})
  })
  await bucket.remove('photo')
  await bucket.write(
    'late',
    { contentType: null, cacheControl: null, contentDisposition: null, metadata: {} },
    4,
    Readable.from([Buffer.from('late')]),
  )
  expect(await fingerprint(options, bucket)).not.toEqual(before)
  await restoreBackup({ ...options, replace: true })
  expect(lasting(await fingerprint(options, bucket))).toEqual(lasting(before))
})

it('brings no session, mailed link, request for one or phone code back, and says of when the passwords are', async () => {
  for (const name of signIns) expect(before[name]).toMatch(/^[1-9]/)
  const told: string[] = []
  await restoreBackup({ ...options, replace: true, progress: (text) => told.push(text) })
  const restored = await fingerprint(options, bucket)
  for (const name of signIns) expect(restored[name]).toMatch(/^0 documents/)
  expect(told.join(' ')).toContain(`passwords and numbers are those of ${backup.manifest.createdAt}`)
})

it('lets people sign in, unlock and read after a restore, without what has vanished since the backup', async () => {
  const earlier = (field: string) => ({ [field]: { $subtract: [`$${field}`, hourMs] } })
  await onDatabases(options, async ({ owner, db }) => {
    if (owner !== 'messaging') return
    const $set = { ...earlier('createdAt'), ...earlier('vanishAt') }
    await db.collection('messages').updateMany({ vanishMs: { $exists: true } }, [{ $set }])
  })
  expect(await storedTexts()).toContain('gone soon')
  stack = await startStack()
  const texts = ['first', 'second — with a dash', 'third 🔐']
  expect(await storedTexts()).toEqual(texts)
  // Her session from before the restore no longer works.
  const former = new Client({ gatewayUrl: stack.gatewayUrl })
  for (const [name, value] of ada.client.cookies) former.cookies.set(name, value)
  expect(await former.call(auth.getUser)).toMatchObject({ status: 401 })
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  const { username, password, pin } = ada
  await client.ok(auth.login, { body: { username, password } })
  await client.ok(lockRoutes.verifyNumericPassword, { body: { numericPassword: pin } })
  const messages = await client.ok(listMessages, { params: { id: conversationId }, query: {} })
  expect(messages.map(({ content }) => content)).toEqual([...texts, ''])
  expect(await client.ok(auth.getUser)).toMatchObject({ subscriptionType: 'premium' })
})

it('refuses a restore while services run', async () => {
  await expect(restoreBackup({ ...options, replace: true })).rejects.toThrow(
    /in use .*Stop the services first/,
  )
})

it('keeps the ids of purged accounts outside the backup, and a restore that brings one back purges it again', async () => {
  await stack.stop()
  const purged = { _id: ada.user.id, purgedAt: new Date(), publishedAt: new Date(), doneAt: new Date() }
  await onDatabases(options, async ({ owner, db }) => {
    if (owner === 'auth') await db.collection<{ _id: string }>('purged_ids').insertOne(purged)
  })
  // The backup is older than the purge, and its database is lost afterwards.
  await restoreBackup({ ...options, replace: true })
  await wipe()
  await restoreBackup(options)
  stack = await startStack()
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  const { username, password } = ada
  await eventually(async () => {
    const answer = await client.call(auth.login, { body: { username, password } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'wrong_credentials' } })
  })
  await eventually(async () => {
    expect(await storedTexts()).toEqual([])
  })
})
