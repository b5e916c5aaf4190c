import { databaseOwners, databaseUrlName } from '@sumlock/deployment/provision'
import type { DatabaseOwner } from '@sumlock/deployment/provision'
import { setting } from '../config.ts'
import { migrateDatabases } from '../migrate-databases.ts'
import { runJob } from '../run-job.ts'

// Applies the pending migrations of all four databases of a compose project. Safe to repeat.
await runJob('migrate', async (logger) => {
  const urls = databaseOwners.map((owner) => [owner, setting(databaseUrlName(owner))])
  await migrateDatabases(Object.fromEntries(urls) as Record<DatabaseOwner, string>, logger)
  return 'all migrations are applied'
})
