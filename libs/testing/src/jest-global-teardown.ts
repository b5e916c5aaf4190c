import { rm } from 'node:fs/promises'
import { running } from './running-engines.ts'

// eslint-disable-next-line no-restricted-syntax
export default async function teardown(): Promise<void> {
  await running.engines?.stop()
  if (running.dataDir) await rm(running.dataDir, { recursive: true, force: true })
}
