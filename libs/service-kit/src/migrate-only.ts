import { systemClock } from './clock.ts'
import { readMigrationConfig } from './config.ts'
import { createLogger } from './logger.ts'
import type { Logger } from './logger.ts'
import { runMigrations } from './migrations.ts'
import type { Migration } from './migrations.ts'
import { connectMongo } from './mongo.ts'

/** In a new cluster MongoDB may be ready minutes after a migration starts, ms. */
const startTimeoutMs = 600_000

/**
 * Applies the pending migrations of one database and returns their ids. Its connection has no time limit for answers,
 * because an index build may take long.
 */
export async function migrateDatabase(
  url: string,
  migrations: readonly Migration[],
  logger: Logger,
): Promise<string[]> {
  const connection = await connectMongo(url, logger, { socketTimeoutMs: 0, startTimeoutMs })
  try {
    return await runMigrations(connection, migrations, { clock: systemClock(), logger })
  } finally {
    await connection.close()
  }
}

/** Migrates a service's database and ends the process. It runs before the service starts. */
export async function migrateOnly(service: string, migrations: readonly Migration[]): Promise<never> {
  const { MONGO_URL, LOG_LEVEL } = readMigrationConfig()
  const logger = createLogger({ service, instance: 'migrate', level: LOG_LEVEL })
  const applied = await migrateDatabase(MONGO_URL, migrations, logger)
  logger.info({ applied }, 'all migrations are applied')
  process.exit(0)
}
