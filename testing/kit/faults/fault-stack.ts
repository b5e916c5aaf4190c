import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { startEngines } from '@sumlock/dev/engines/engines'
import type { Engines } from '@sumlock/dev/engines/engines'
import { startServices } from '@sumlock/dev/product/services'
import type { Stack } from '@sumlock/dev/product/services'
import type { TestStackOptions } from '../engines.ts'
import { createTcpProxy } from './tcp-proxy.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** A stack on engines of its own, so that they can be killed, paused and cut off without hurting another suite. */
export interface FaultStack extends Stack {
  readonly engines: Engines
  /** The connection from the services to Redis. */
  readonly redisWire: TcpProxy
}

export interface FaultStackOptions extends TestStackOptions {
  /** Folder for the engines' data; by default a temporary one. */
  dataDir?: string
  /** Name of the folder below `artifacts/logs` that keeps the logs. */
  logName: string
}

/** Starts engines and all six services. `stop` removes the data and keeps the logs. */
export async function startFaultStack({
  dataDir,
  logName,
  ...options
}: FaultStackOptions): Promise<FaultStack> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'sumlock-faults-')))
  const logDir = join(folder, 'logs')
  const engines = await startEngines({ dataDir: folder })
  const { addresses, secrets } = engines
  const redisWire = await createTcpProxy(Number(new URL(addresses.redisUrl).port))
  const release = async () => {
    await redisWire.close()
    await engines.stop()
    const kept = join(repoRoot, 'artifacts/logs', logName)
    await rm(kept, { recursive: true, force: true })
    await cp(logDir, kept, { recursive: true })
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    const stack = await startServices({
      addresses: { ...addresses, redisUrl: `redis://127.0.0.1:${redisWire.port}` },
      secrets,
      namespace: 'faults',
      mode: 'test',
      logDir,
      logLevel: 'warn',
      ...options,
    })
    return {
      ...stack,
      engines,
      redisWire,
      async stop() {
        redisWire.restore()
        await stack.stop()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}
