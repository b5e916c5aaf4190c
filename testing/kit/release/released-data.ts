import { databaseUrls, provision } from '@sumlock/deployment/provision'
import type { EngineAddresses } from '@sumlock/deployment/engine-addresses'
import type { Secrets } from '@sumlock/deployment/secrets'
import type { StackOptions } from '@sumlock/dev/product/services'
import { migrateDatabases } from '@sumlock/jobs/migrate-databases'
import { join } from 'node:path'
import { randomNamespace, testEngines } from '../engines.ts'
import { loadDump } from './database-dump.ts'
import { lastReleaseFolder } from './last-release.ts'
import type { LastRelease } from './last-release.ts'

export interface ReleasedData extends StackOptions {
  addresses: EngineAddresses
  secrets: Secrets
}

/** Loads the last release's dump into a namespace of its own and migrates it; returns the options to start services on it. */
export async function migratedReleaseData(release: LastRelease): Promise<ReleasedData> {
  const { addresses, secrets: ownSecrets, dataDir } = await testEngines()
  const namespace = randomNamespace()
  const secrets = { ...ownSecrets, ...release.secrets }
  await provision(addresses, secrets, namespace)
  await loadDump(addresses.mongoAdminUrl, namespace, lastReleaseFolder)
  await migrateDatabases(databaseUrls(addresses, secrets, namespace))
  const logDir = join(dataDir, 'logs', namespace)
  return { addresses, secrets, namespace, mode: 'test', logDir, logLevel: 'warn' }
}
