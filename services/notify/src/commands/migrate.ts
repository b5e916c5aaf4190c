import { migrateOnly } from '@sumlock/service-kit/migrate-only'
import { runMain } from '@sumlock/service-kit/serve'
import { readConfig } from '../config.ts'
import { migrations } from '../migrations.ts'

// Run it with notify's environment: `node services/notify/src/commands/migrate.ts`.
runMain(() => migrateOnly('notify', readConfig(), migrations))
