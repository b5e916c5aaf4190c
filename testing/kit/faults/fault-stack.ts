import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { createRedis, redisUrlOf, startEngines } from '@sumlock/dev/engines/engines'
import type { Engines } from '@sumlock/dev/engines/engines'
import type { Child } from '@sumlock/dev/processes/child'
import { freePorts } from '@sumlock/dev/processes/ports'
import { silent } from '@sumlock/dev/processes/progress'
import { startServices } from '@sumlock/dev/product/services'
import type { Stack } from '@sumlock/dev/product/services'
import { startTestStack } from '../engines.ts'
import type { TestStackOptions } from '../engines.ts'
import { testEngines } from '../test-engines.ts'
import { createTcpProxy } from './tcp-proxy.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** The stack has its own engines, so that they can be killed, paused and cut off without an effect on other suites. */
export interface FaultStack extends Stack {
  readonly engines: Engines
}

export interface FaultStackOptions extends TestStackOptions {
  /** The engines store their data in this folder; by default, it is a temporary one. */
  dataDir?: string
  /** The logs are kept in a folder of this name below `artifacts/logs`. */
  logName: string
}

/** Starts the engines and all six services. `stop` removes the data and keeps the logs. */
export async function startFaultStack({
  dataDir,
  logName,
  ...options
}: FaultStackOptions): Promise<FaultStack> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'sumlock-faults-')))
  const logDir = join(folder, 'logs')
  const engines = await startEngines({ dataDir: folder })
  const { addresses, secrets } = engines
  const release = async () => {
    await engines.stop()
    const kept = join(repoRoot, 'artifacts/logs', logName)
    await rm(kept, { recursive: true, force: true })
    await cp(logDir, kept, { recursive: true })
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    const stack = await startServices({
      addresses,
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
      async stop() {
        await stack.stop()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

export interface RedisFaultStack extends Stack {
  readonly redis: Child
  /** The services reach Redis through this proxy. */
  readonly wire: TcpProxy
}

/** Starts a stack that has its own Redis and shares the other engines of the run. */
export async function startRedisFaultStack(options: TestStackOptions): Promise<RedisFaultStack> {
  const { redisPassword: password } = (await testEngines()).secrets
  const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-redis-'))
  const [port = 0] = await freePorts(1)
  const redis = await createRedis({ dataDir, port, progress: silent, password })
  await redis.start()
  const wire = await createTcpProxy(port)
  const engines = { redisUrl: redisUrlOf(wire.port, password) }
  const stack = await startTestStack({ timeouts: 'default', engines, ...options })
  return {
    ...stack,
    redis,
    wire,
    async stop() {
      wire.restore()
      await stack.stop()
      await Promise.all([wire.close(), redis.stop()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
