import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, cp, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { childEnvironment } from '@sumlock/dev/config'
import { createUsers, databaseUrls, unprovision } from '@sumlock/deployment/provision'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import type { TestEngines } from '@sumlock/testing/test-engines'
import { eventually } from '@sumlock/testing/wait'
import { listBackups } from '../src/backup-folder.ts'
import { presentMoments, swapMarker, withDatabases } from '../src/database.ts'
import { makeBackup, saveDatabase } from '../src/make-backup.ts'
import type { BackupOptions } from '../src/make-backup.ts'
import { readManifest } from '../src/manifest.ts'
import { restoreBackup } from '../src/restore-backup.ts'
import { markSwap } from '../src/restore-database.ts'
import { backupOptions, onDatabases } from './setup.ts'
import { fingerprint } from './fingerprint.ts'

const namespace = randomNamespace()
let engines: TestEngines
let options: BackupOptions
let path: string
let before: Record<string, string>

beforeAll(async () => {
  engines = await testEngines()
  await createUsers(engines.addresses, engines.secrets, namespace)
  options = await backupOptions(databaseUrls(engines.addresses, engines.secrets, namespace))
  await onDatabases(options, async ({ db, owner }) => {
    await db
      .collection<{ _id: number }>('things')
      .insertMany(
        Array.from({ length: 2500 }, (_, _id) => ({ _id, owner, text: randomBytes(40).toString('hex') })),
      )
    await db.collection('things').createIndex({ text: 1, _id: -1 }, { name: 'text', unique: true })
    const publishedAt = new Date()
    await db.collection('outbox').insertMany([
      { said: 'now', publishedAt },
      { said: 'long ago', publishedAt: new Date(publishedAt.getTime() - 5 * 3_600_000) },
    ])
  })
  path = (await makeBackup(options)).path
  before = await fingerprint(options)
}, 180_000)

afterAll(async () => {
  await rm(options.folder, { recursive: true })
  await unprovision(engines.addresses, namespace)
})

/** Breaks the backup, and expects the restore to refuse it without changing any data. */
async function expectRefusal(
  breakIt: (copy: string) => Promise<void>,
  sentence: RegExp,
  other = {},
): Promise<void> {
  const kept = `${path}.kept`
  await cp(path, kept, { recursive: true })
  try {
    await breakIt(path)
    await expect(restoreBackup({ ...options, replace: true, ...other })).rejects.toThrow(sentence)
    expect(await fingerprint(options)).toEqual(before)
  } finally {
    await rm(path, { recursive: true })
    await rename(kept, path)
  }
}

const anyFile = 'billing.things.bson.gz.enc'
const nothing = () => Promise.resolve()

it('refuses a backup with one flipped byte', () =>
  expectRefusal(async (copy) => {
    const bytes = await readFile(join(copy, anyFile))
    bytes.writeUInt8(bytes.readUInt8(5000) ^ 1, 5000)
    await writeFile(join(copy, anyFile), bytes)
  }, /billing\.things.* was changed or cut short/))

it('refuses a backup with a missing file', () =>
  expectRefusal((copy) => rm(join(copy, anyFile)), /billing\.things.* is missing/))

it('refuses a file with bytes appended to it', () =>
  expectRefusal((copy) => appendFile(join(copy, anyFile), 'x'), /billing\.things.* was changed or cut short/))

it('refuses a backup in which a file was exchanged for that of another collection', () =>
  expectRefusal(
    (copy) => cp(join(copy, 'auth.things.bson.gz.enc'), join(copy, anyFile)),
    /billing\.things.* was changed/,
  ))

it('refuses a backup with a changed manifest', () =>
  expectRefusal(async (copy) => {
    const file = join(copy, 'manifest.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('2500', '2499'))
  }, /the manifest of .* was changed/))

it('refuses a restore with another key', () =>
  expectRefusal(nothing, /made with another key/, { key: randomBytes(32) }))

it('refuses other peppers than those of the backup', async () => {
  const { path: salted } = await makeBackup({ ...options, peppers: ['one', 'two'] })
  const restore = restoreBackup({ ...options, replace: true, peppers: ['one', 'three'] })
  await expect(restore).rejects.toThrow(/no PIN would be accepted/)
  await rm(salted, { recursive: true })
})

it('refuses the name of a missing backup and a name that leads out of the folder', async () => {
  await expect(restoreBackup({ ...options, name: '2020-01-01T00-00-00-000Z' })).rejects.toThrow(
    /no complete backup/,
  )
  await expect(restoreBackup({ ...options, name: '../x' })).rejects.toThrow(/no complete backup/)
})

it('does not list a backup that was killed half-way, and restores the newest complete one', async () => {
  const databaseEnv = Object.entries(options.databaseUrls).map(([owner, url]) => [
    `MONGO_URL_${owner.toUpperCase()}`,
    url,
  ])
  const env = {
    ...childEnvironment(),
    ...(Object.fromEntries(databaseEnv) as Record<string, string>),
    BACKUP_FOLDER: options.folder,
    BACKUP_KEY: options.key.toString('hex'),
  }
  const script = join(import.meta.dirname, '../src/commands/backup.ts')
  const parts = async () => (await readdir(options.folder)).filter((name) => name.endsWith('.part'))
  let listed: Awaited<ReturnType<typeof listBackups>> = []
  // A backup that is made before this process notices it is a complete one.
  for (let left = 10; (await parts()).length === 0 && left > 0; left -= 1) {
    listed = await listBackups(options.folder)
    const child = spawn(process.execPath, [script], { env, stdio: 'ignore' })
    const exited = once(child, 'exit')
    let isOver = false
    void exited.then(() => (isOver = true))
    await eventually(
      async () => {
        const [part] = await parts()
        const isHalfWay = part && (await readdir(join(options.folder, part))).includes(anyFile)
        expect(isOver || isHalfWay).toBe(true)
      },
      { timeoutMs: 30_000, everyMs: 1 },
    )
    child.kill('SIGKILL')
    await exited
  }
  expect(await parts()).toHaveLength(1)
  expect(await listBackups(options.folder)).toEqual(listed)
  const restored = await restoreBackup({ ...options, replace: true })
  expect(restored.name).toBe(listed.at(-1)?.name)
  expect(await fingerprint(options)).toEqual(before)
})

it('refuses to back up a database whose restore died in the swap, and a restore with --replace finishes it', async () => {
  await onDatabases(options, async (database) => {
    await markSwap(database, 'some backup')
    await database.db.dropCollection('things')
  })
  await expect(makeBackup(options)).rejects.toThrow(
    /half restored .*restore some backup again, with --replace/,
  )
  await restoreBackup({ ...options, replace: true })
  expect(await fingerprint(options)).toEqual(before)
  await onDatabases(options, async ({ db }) => {
    expect(await db.collection(swapMarker).findOne()).toBeNull()
  })
})

it('leaves out writes after the cluster time of the backup, in every database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-late-'))
  const saved = await withDatabases(options.databaseUrls, 'test', async (databases) => {
    const moments = await presentMoments(databases)
    for (const { db } of databases) {
      await db.collection<{ _id: number }>('things').updateOne({ _id: 1 }, { $set: { late: true } })
      await db.collection<{ _id: number }>('things').insertOne({ _id: 9000 })
    }
    const save = { folder, key: options.key, progress: () => undefined }
    return Promise.all(
      databases.map((database) =>
        saveDatabase(database, [{ name: 'things', options: {} }], moments[database.owner], save),
      ),
    )
  })
  const { databases } = await readManifest({ ...options, folder: path })
  const hashesOf = (from: typeof saved) =>
    from.map(({ owner, collections }) => [owner, collections.find(({ name }) => name === 'things')?.sha256])
  expect(hashesOf(saved)).toEqual(hashesOf(databases))
  expect(await fingerprint(options)).not.toEqual(before)
  await rm(folder, { recursive: true })
  await restoreBackup({ ...options, replace: true })
  expect(await fingerprint(options)).toEqual(before)
})

it('marks the events of the last hours for publication when --republish is given', async () => {
  await restoreBackup({ ...options, replace: true, republishHours: 1 })
  await onDatabases(options, async ({ db }) => {
    const pending = await db.collection('outbox').find({ pending: true }).toArray()
    expect(pending.map(({ said, publishedAt }) => [said as string, publishedAt as unknown])).toEqual([
      ['now', undefined],
    ])
  })
  await restoreBackup({ ...options, replace: true })
  expect(await fingerprint(options)).toEqual(before)
})

it('refuses to back up a document whose fields could not be restored in their order', async () => {
  await onDatabases(options, async ({ db }) => {
    await db.collection('odd').insertOne(
      new Map<string, unknown>([
        ['_id', 1],
        ['b', 1],
        ['7', 1],
      ]),
    )
  })
  const listed = await listBackups(options.folder)
  await expect(makeBackup(options)).rejects.toThrow(/cannot be written again in their order: 1/)
  expect(await listBackups(options.folder)).toEqual(listed)
  await onDatabases(options, async ({ db }) => {
    await db.dropCollection('odd')
  })
})
