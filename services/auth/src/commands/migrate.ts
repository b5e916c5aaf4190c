import { migrateOnly } from '@sumlock/service-kit/migrate-only'
import { runMain } from '@sumlock/service-kit/serve'
import { readConfig } from '../config.ts'
import { migrations } from '../migrations.ts'

// Run it with auth's environment: `node services/auth/src/commands/migrate.ts`.
runMain(() => migrateOnly('auth', readConfig(), migrations))
