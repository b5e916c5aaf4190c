import { migrateOnly } from '@sumlock/service-kit/migrate-only'
import { runMain } from '@sumlock/service-kit/serve'
import { readConfig } from '../config.ts'
import { migrations } from '../migrations.ts'

// node services/messaging/src/commands/migrate.ts   with messaging's environment
runMain(() => migrateOnly('messaging', readConfig(), migrations))
