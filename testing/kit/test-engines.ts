import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { EngineAddresses } from '@sumlock/deployment/engine-addresses'
import type { Secrets } from '@sumlock/deployment/secrets'
import { enginesFile } from './config.ts'

// This file is separate from engines.ts, because most suites need nothing that starts engines and services.

export interface TestEngines {
  addresses: EngineAddresses
  secrets: Secrets
  /**
   * The test run stores its data in this folder. It is removed at the end, but its logs are kept in
   * `artifacts/logs/integration`.
   */
  dataDir: string
  /** A POST to this address starts the shared stack if necessary; see `sharedStack`. */
  sharedStackUrl: string
}

/** Reads the addresses of the engines that serve all suites of this run. */
export async function testEngines(): Promise<TestEngines> {
  return JSON.parse(await readFile(enginesFile(), 'utf8')) as TestEngines
}

/** Returns the name of a namespace that no other suite uses. */
export const randomNamespace = (): string => `t${randomBytes(4).toString('hex')}`
