import { migrations as auth } from '@sumlock/auth/migrations'
import { migrations as billing } from '@sumlock/billing/migrations'
import type { DatabaseOwner } from '@sumlock/deployment/provision'
import { migrations as messaging } from '@sumlock/messaging/migrations'
import { migrations as notify } from '@sumlock/notify/migrations'
import { createLogger } from '@sumlock/service-kit/logger'
import { migrateDatabase } from '@sumlock/service-kit/migrate-only'

const migrationsOf = { auth, messaging, billing, notify }

/**
 * Applies the pending migrations of all four databases. `urls` has their addresses by owner. Runs before the services
 * start.
 */
export async function migrateDatabases(
  urls: Readonly<Record<DatabaseOwner, string>>,
  logger = createLogger({ service: 'migrate', instance: 'migrate', level: 'silent' }),
): Promise<void> {
  const owners = Object.keys(migrationsOf) as DatabaseOwner[]
  await Promise.all(owners.map((owner) => migrateDatabase(urls[owner], migrationsOf[owner], logger)))
}
