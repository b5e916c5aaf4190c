import { databaseOwners, databaseUrlName } from '@sumlock/deployment/provision'
import type { DatabaseOwner } from '@sumlock/deployment/provision'
import { setting } from '../config.ts'
import { migrateDatabases } from '../migrate-databases.ts'

// Applies the pending migrations of all four databases of a compose project. Safe to repeat.
const urls = databaseOwners.map((owner) => [owner, setting(databaseUrlName(owner))])
await migrateDatabases(Object.fromEntries(urls) as Record<DatabaseOwner, string>, 'info')
process.stdout.write('migrate: all migrations are applied\n')
