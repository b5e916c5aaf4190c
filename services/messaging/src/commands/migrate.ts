import { migrateOnly } from '@sumlock/service-kit/migrate-only'
import { runMain } from '@sumlock/service-kit/serve'
import { readConfig } from '../config.ts'
import { migrations } from '../migrations.ts'

// Run this file as `node services/messaging/src/commands/migrate.ts` with the environment variables of messaging.
runMain(() => migrateOnly('messaging', readConfig(), migrations))
