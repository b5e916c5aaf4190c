import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import type { Engines } from '@sumlock/dev/engines/engines'

/** What the global set-up started, for the global tear-down in the same process. */
export const running: { engines?: Engines; dataDir?: string } = {}

/** Stops the engines and removes their data; the logs of this run are kept in `artifacts/logs/integration`. */
export async function stopRunningEngines(): Promise<void> {
  await running.engines?.stop()
  if (!running.dataDir) return
  const kept = join(repoRoot, 'artifacts/logs/integration')
  await rm(kept, { recursive: true, force: true })
  await cp(join(running.dataDir, 'logs'), kept, { recursive: true })
  await rm(running.dataDir, { recursive: true, force: true })
}
