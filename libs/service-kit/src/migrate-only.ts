import { systemClock } from './clock.ts'
import { createLogger } from './logger.ts'
import { runMigrations } from './migrations.ts'
import type { Migration } from './migrations.ts'
import { connectMongo } from './mongo.ts'

/** Brings a service's database to the newest shape and ends the process: what compose and a cluster run before the service. */
export async function migrateOnly(
  service: string,
  { MONGO_URL, LOG_LEVEL }: { MONGO_URL: string; LOG_LEVEL: string },
  migrations: readonly Migration[],
): Promise<never> {
  const logger = createLogger({ service, instance: 'migrate', level: LOG_LEVEL })
  const connection = await connectMongo(MONGO_URL, logger)
  const ran = await runMigrations(connection, migrations, { clock: systemClock(0), logger })
  await connection.close()
  logger.info({ ran }, 'the database has its newest shape')
  process.exit(0)
}
