import type { Connection } from 'mongoose'
import { awaitMigrations } from './await-migrations.ts'
import type { CommonConfig } from './config.ts'
import type { Migration } from './migrations.ts'
import { connectMongo, openPool, pingMongo } from './mongo.ts'
import type { ServiceBase } from './service-base.ts'

/**
 * Connects to the service's own database and resolves once its migrations are applied. From then on the service is
 * ready only while the database answers.
 */
export async function openDatabase(
  { config, logger, health, onClose, onWarmUp }: ServiceBase<CommonConfig & { MONGO_URL: string }>,
  migrations: readonly Migration[],
): Promise<Connection> {
  const connection = await connectMongo(config.MONGO_URL, logger)
  onClose(() => connection.close())
  await awaitMigrations(connection, migrations, { config, logger })
  onWarmUp(() => openPool(connection))
  health.checks['database'] = () => pingMongo(connection)
  return connection
}
