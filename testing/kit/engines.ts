import { join } from 'node:path'
import { startEngines } from '@sumlock/dev/engines/engines'
import type { EngineAddresses } from '@sumlock/deployment/engine-addresses'
import type { Engines } from '@sumlock/dev/engines/engines'
import { compileS3Store } from '@sumlock/dev/engines/s3'
import type { Progress } from '@sumlock/dev/processes/progress'
import { unprovision } from '@sumlock/deployment/provision'
import { startServices } from '@sumlock/dev/product/services'
import type { Stack, StackOptions } from '@sumlock/dev/product/services'
import { enginesInContainers } from './config.ts'
import { longTimeouts } from './long-timeouts.ts'
import { randomNamespace, testEngines } from './test-engines.ts'

/** Starts the engines that serve all suites of a run, in containers if `SUMLOCK_ENGINES_MODE` is `containers`. */
export async function startSuiteEngines(dataDir: string, progress: Progress): Promise<Engines> {
  if (!enginesInContainers) {
    await compileS3Store(progress)
    return startEngines({ dataDir, progress })
  }
  // The module is loaded on demand, because no ordinary run needs it.
  const { startContainerEngines } = await import('./container-engines.ts')
  return startContainerEngines(dataDir, progress)
}

export type TestStackOptions = Partial<Pick<StackOptions, 'replicas' | 'env' | 'logLevel' | 'oneProcess'>>

/**
 * Starts all six services as processes in a new namespace. `stop` also removes what they stored. The services run with
 * `longTimeouts`, unless `timeouts` is `default`.
 */
export async function startTestStack({
  timeouts = 'long',
  env = {},
  engines = {},
  namespace = randomNamespace(),
  ...options
}: TestStackOptions & {
  namespace?: string
  timeouts?: 'long' | 'default'
  /** These engines of the suite replace the shared ones. */
  engines?: Partial<EngineAddresses>
} = {}): Promise<Stack> {
  const { addresses: shared, secrets, dataDir } = await testEngines()
  const addresses = { ...shared, ...engines }
  const logDir = join(dataDir, 'logs', namespace)
  const stack = await startServices({
    addresses,
    secrets,
    namespace,
    mode: 'test',
    logDir,
    logLevel: 'warn',
    env: timeouts === 'long' ? longTimeouts(env) : env,
    ...options,
  })
  return {
    ...stack,
    stop: async () => {
      await stack.stop()
      await unprovision(addresses, namespace)
    },
  }
}
