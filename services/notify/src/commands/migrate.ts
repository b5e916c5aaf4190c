import { migrateOnly } from '@sumlock/service-kit/migrate-only'
import { runMain } from '@sumlock/service-kit/serve'
import { readConfig } from '../config.ts'
import { migrations } from '../migrations.ts'

// node services/notify/src/commands/migrate.ts   with notify's environment
runMain(() => migrateOnly('notify', readConfig(), migrations))
