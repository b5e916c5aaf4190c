import { onInterrupt } from '@sumlock/dev/processes/on-interrupt'
import { enginesAreRunning } from './config.ts'
import { startRunningEngines, stopRunningEngines } from './running-engines.ts'

/**
 * Starts the engines, unless the runner has already started them for several suites. Jest requires a default export.
 */
// eslint-disable-next-line no-restricted-syntax
export default async function setup(): Promise<void> {
  if (enginesAreRunning()) return
  onInterrupt(stopRunningEngines)
  await startRunningEngines()
}
