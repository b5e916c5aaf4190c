import { migrateOnly } from '@sumlock/service-kit/migrate-only'
import { runMain } from '@sumlock/service-kit/serve'
import { readConfig } from '../config.ts'
import { migrations } from '../migrations.ts'

// node services/auth/src/commands/migrate.ts   with auth's environment
runMain(() => migrateOnly('auth', readConfig(), migrations))
