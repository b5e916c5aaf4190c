import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from 'mongoose'
import type { CommonConfig } from './config.ts'
import type { Logger } from './logger.ts'
import { pendingMigrations } from './migrations.ts'
import type { Migration } from './migrations.ts'
import { closeServer, createBoundedServer } from './serve.ts'
import { isTransient } from './transient.ts'

export interface AwaitMigrationsOptions {
  config: Pick<CommonConfig, 'HOST' | 'INTERNAL_PORT'>
  logger: Logger
}

const recheckMs = 500

/**
 * Resolves once every migration is applied; a service never applies one itself. Until then the internal port answers
 * `/livez` with 200 and `/readyz` with 503 and the pending ids, so that an orchestrator waits instead of restarting.
 */
export async function awaitMigrations(
  connection: Connection,
  migrations: readonly Migration[],
  { config, logger }: AwaitMigrationsOptions,
): Promise<void> {
  const findReason = async () => {
    try {
      const pending = await pendingMigrations(connection, migrations)
      return pending.length === 0 ? undefined : `pending: ${pending.map(({ id }) => id).join(', ')}`
    } catch (error) {
      if (isTransient(error)) return 'the database does not answer'
      throw error
    }
  }
  let reason = await findReason()
  if (reason === undefined) return

  logger.warn({ migrations: reason }, 'the service waits for its migrations')
  const server = await serveWaiting(config, () => reason)
  const stop = () => process.exit(0)
  process.on('SIGTERM', stop).on('SIGINT', stop)
  try {
    while (reason !== undefined) {
      await wait(recheckMs)
      reason = await findReason()
    }
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop)
    await closeServer(server)
  }
  logger.info('the migrations are applied; the service starts')
}

async function serveWaiting(
  { HOST, INTERNAL_PORT }: AwaitMigrationsOptions['config'],
  reasonNow: () => string | undefined,
): Promise<Server> {
  const server = createBoundedServer((request, response) => {
    const isLivez = request.url === '/livez'
    response.writeHead(isLivez ? 200 : 503, { 'content-type': 'application/json', connection: 'close' })
    response.end(JSON.stringify(isLivez ? { ok: true } : { ok: false, failing: { migrations: reasonNow() } }))
  })
  server.listen(INTERNAL_PORT, HOST)
  await once(server, 'listening')
  return server
}
