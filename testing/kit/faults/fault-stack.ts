import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { startEngines } from '@sumlock/dev/engines/engines'
import type { EngineAddresses } from '@sumlock/deployment/engine-addresses'
import type { Engines } from '@sumlock/dev/engines/engines'
import { startServices } from '@sumlock/dev/product/services'
import type { Stack } from '@sumlock/dev/product/services'
import type { TestStackOptions } from '../engines.ts'
import { createTcpProxy } from './tcp-proxy.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** A stack on engines of its own, so that they can be killed, paused and cut off without hurting another suite. */
export interface FaultStack extends Stack {
  readonly engines: Engines
  /** The wires from the services to MongoDB and to Redis. */
  readonly wires: Readonly<Record<'mongo' | 'redis', TcpProxy>>
}

export interface FaultStackOptions extends TestStackOptions {
  /** Folder for the engines' data when it has to be a particular one; a temporary one otherwise. */
  dataDir?: string
  /** Name of the folder below `artifacts/logs` in which the logs stay. */
  logName: string
}

/** Engines, a wire to each, and all six services. `stop` removes the data and keeps the logs. */
export async function startFaultStack({
  dataDir,
  logName,
  ...options
}: FaultStackOptions): Promise<FaultStack> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'sumlock-faults-')))
  const engines = await startEngines({ dataDir: folder })
  const { addresses, secrets } = engines
  const wires = {
    mongo: await createTcpProxy(portOf(addresses.mongoAdminUrl)),
    redis: await createTcpProxy(portOf(addresses.redisUrl)),
  }
  const release = async () => {
    await Promise.all(Object.values(wires).map((wire) => wire.close()))
    await engines.stop()
    const kept = join(repoRoot, 'artifacts/logs', logName)
    await rm(kept, { recursive: true, force: true })
    await cp(join(folder, 'logs'), kept, { recursive: true })
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    const stack = await startServices({
      addresses: throughWires(addresses, wires),
      secrets,
      namespace: 'faults',
      mode: 'test',
      logDir: join(folder, 'logs'),
      logLevel: 'warn',
      ...options,
    })
    return {
      ...stack,
      // Tests read the database directly, not through the wire.
      addresses,
      engines,
      wires,
      async stop() {
        for (const wire of Object.values(wires)) wire.restore()
        await stack.stop()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

const portOf = (url: string): number => Number(new URL(url).port)

function throughWires(addresses: EngineAddresses, wires: FaultStack['wires']): EngineAddresses {
  const mongo = new URL(addresses.mongoAdminUrl)
  mongo.port = String(wires.mongo.port)
  // Asked for its members, the set would name the address behind the wire.
  mongo.searchParams.delete('replicaSet')
  mongo.searchParams.set('directConnection', 'true')
  return { ...addresses, mongoAdminUrl: mongo.href, redisUrl: `redis://127.0.0.1:${wires.redis.port}` }
}
