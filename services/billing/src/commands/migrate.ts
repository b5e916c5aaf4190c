import { migrateOnly } from '@sumlock/service-kit/migrate-only'
import { runMain } from '@sumlock/service-kit/serve'
import { readConfig } from '../config.ts'
import { migrations } from '../migrations.ts'

// node services/billing/src/commands/migrate.ts   with billing's environment
runMain(() => migrateOnly('billing', readConfig(), migrations))
