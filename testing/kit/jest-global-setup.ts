import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onInterrupt } from '@sumlock/dev/processes/on-interrupt'
import { announceEnginesFile } from './config.ts'
import { startSuiteEngines } from './engines.ts'
import { running, stopRunningEngines } from './running-engines.ts'

/** Starts the engines once for all integration suites. A tool demands the default export. */
// eslint-disable-next-line no-restricted-syntax
export default async function setup(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sumlock-test-'))
  running.dataDir = dataDir
  onInterrupt(stopRunningEngines)
  const engines = await startSuiteEngines(dataDir, (line) => process.stderr.write(`  ${line}\n`))
  running.engines = engines
  const file = join(dataDir, 'engines.json')
  await writeFile(file, JSON.stringify({ addresses: engines.addresses, secrets: engines.secrets, dataDir }))
  announceEnginesFile(file)
}
