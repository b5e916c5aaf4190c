import { migrateOnly } from '@sumlock/service-kit/migrate-only'
import { runMain } from '@sumlock/service-kit/serve'
import { migrations } from '../migrations.ts'

// Run it with notify's SUMLOCK_MODE and MONGO_URL: `node services/notify/src/commands/migrate.ts`.
runMain(() => migrateOnly('notify', migrations))
