import { migrateOnly } from '@sumlock/service-kit/migrate-only'
import { runMain } from '@sumlock/service-kit/serve'
import { readConfig } from '../config.ts'
import { migrations } from '../migrations.ts'

// Run it with billing's environment: `node services/billing/src/commands/migrate.ts`.
runMain(() => migrateOnly('billing', readConfig(), migrations))
