import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import type { Engines } from '@sumlock/dev/engines/engines'
import { progress } from '@sumlock/dev/product/terminal'
import { startServices } from '@sumlock/dev/product/services'
import { announceEnginesFile } from './config.ts'
import { startSuiteEngines } from './engines.ts'
import type { TestEngines } from './test-engines.ts'
import { longTimeouts } from './long-timeouts.ts'
import { serveSharedStack, sharedBcryptCost, sharedReplicas } from './shared-stack.ts'
import type { SharedStackServer } from './shared-stack.ts'

const running: { engines?: Engines; sharedStack?: SharedStackServer; dataDir?: string } = {}

/**
 * Starts the engines of a test run and announces them to this process and its children. The shared stack starts when a
 * test first asks for it; if `webRoot` is given, its gateway serves the web app.
 */
export async function startRunningEngines({ webRoot }: { webRoot?: string } = {}): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-test-'))
  running.dataDir = dataDir
  running.engines = await startSuiteEngines(dataDir, progress)
  const { addresses, secrets } = running.engines
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
      ...(webRoot === undefined ? {} : { webRoot }),
    }),
  )
  const file = join(dataDir, 'engines.json')
  const announced: TestEngines = { addresses, secrets, dataDir, sharedStackUrl: running.sharedStack.url }
  await writeFile(file, JSON.stringify(announced))
  announceEnginesFile(file)
}

/** Stops everything that this process started and removes its data. The logs stay in `artifacts/logs/integration`. */
export async function stopRunningEngines(): Promise<void> {
  const { sharedStack, engines, dataDir } = running
  if (dataDir === undefined) return
  await sharedStack?.close()
  await engines?.stop()
  announceEnginesFile('')
  const kept = join(repoRoot, 'artifacts/logs/integration')
  await rm(kept, { recursive: true, force: true })
  if (engines) await cp(join(dataDir, 'logs'), kept, { recursive: true })
  await rm(dataDir, { recursive: true, force: true })
  delete running.dataDir
}
