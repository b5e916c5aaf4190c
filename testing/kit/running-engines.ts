import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import type { Engines } from '@sumlock/dev/engines/engines'
import type { SharedStackServer } from './shared-stack.ts'

/** Started by the global set-up, stopped by the global tear-down in the same process. */
export const running: { engines?: Engines; sharedStack?: SharedStackServer; dataDir?: string } = {}

/** Stops stack and engines and removes their data. The logs stay in `artifacts/logs/integration`. */
export async function stopRunningEngines(): Promise<void> {
  await running.sharedStack?.close()
  await running.engines?.stop()
  if (!running.dataDir) return
  const kept = join(repoRoot, 'artifacts/logs/integration')
  await rm(kept, { recursive: true, force: true })
  await cp(join(running.dataDir, 'logs'), kept, { recursive: true })
  await rm(running.dataDir, { recursive: true, force: true })
}
