import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onInterrupt } from '@sumlock/dev/processes/on-interrupt'
import { announceEnginesFile } from './config.ts'
import { startServices } from '@sumlock/dev/product/services'
import { longTimeouts } from './long-timeouts.ts'
import { startSuiteEngines } from './engines.ts'
import type { TestEngines } from './engines.ts'
import { running, stopRunningEngines } from './running-engines.ts'
import { serveSharedStack, sharedBcryptCost, sharedReplicas } from './shared-stack.ts'

/** Starts the engines once for all integration suites. Jest demands the default export. */
// eslint-disable-next-line no-restricted-syntax
export default async function setup(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-test-'))
  running.dataDir = dataDir
  onInterrupt(stopRunningEngines)
  const engines = await startSuiteEngines(dataDir, (line) => process.stderr.write(`  ${line}\n`))
  running.engines = engines
  const { addresses, secrets } = engines
  running.sharedStack = await serveSharedStack(() =>
    startServices({
      addresses,
      secrets,
      namespace: 'shared',
      mode: 'test',
      logDir: join(dataDir, 'logs/shared'),
      logLevel: 'debug',
      replicas: sharedReplicas,
      env: longTimeouts({ auth: { BCRYPT_COST: String(sharedBcryptCost) } }),
    }),
  )
  const file = join(dataDir, 'engines.json')
  const announced: TestEngines = { addresses, secrets, dataDir, sharedStackUrl: running.sharedStack.url }
  await writeFile(file, JSON.stringify(announced))
  announceEnginesFile(file)
}
