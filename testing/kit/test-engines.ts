import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { EngineAddresses } from '@sumlock/deployment/engine-addresses'
import type { Secrets } from '@sumlock/deployment/secrets'
import { enginesFile } from './config.ts'

// This file is separate from engines.ts, because most suites need nothing that starts engines and services.

export interface TestEngines {
  addresses: EngineAddresses
  secrets: Secrets
  /** Folder of this test run; removed with it, except for its logs (`artifacts/logs/integration`). */
  dataDir: string
  /** The address that hands out the shared stack; see `sharedStack`. */
  sharedStackUrl: string
}

/** The engines that serve all suites of this run. */
export async function testEngines(): Promise<TestEngines> {
  return JSON.parse(await readFile(enginesFile(), 'utf8')) as TestEngines
}

/** A namespace that no other suite uses. */
export const randomNamespace = (): string => `t${randomBytes(4).toString('hex')}`
