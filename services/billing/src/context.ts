import { createBus } from '@sumlock/bus/bus'
import { createOutbox } from '@sumlock/bus/outbox'
import { findPerson } from '@sumlock/contracts/internal-routes'
import { backlogCountedTo, measureBacklog } from '@sumlock/service-kit/backlog-metrics'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { systemClock } from '@sumlock/service-kit/clock'
import { createInternalClient } from '@sumlock/service-kit/internal-client'
import { createLogger } from '@sumlock/service-kit/logger'
import { createMetrics } from '@sumlock/service-kit/metrics'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { startServiceTracing } from '@sumlock/service-kit/service-tracing'
import type { Config } from './config.ts'
import { migrations } from './migrations.ts'
import { createLedgerStore } from './stores/ledger-store.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Everything billing works with, wired by hand. Resolves once the database has its newest shape. */
export async function createContext(config: Config) {
  const clock = systemClock(config.CLOCK_OFFSET_MS)
  const logger = createLogger({ service: 'billing', instance: config.INSTANCE, level: config.LOG_LEVEL })
  const tracing = await startServiceTracing(config, logger, 'billing')
  const connection = await connectMongo(config.MONGO_URL, logger)
  await runMigrations(connection, migrations, { clock, logger })
  const bus = createBus({
    brokers: config.KAFKA_BROKERS,
    clientId: config.INSTANCE,
    namespace: config.SUMLOCK_NAMESPACE,
    logger,
  })
  const outbox = createOutbox({ connection, bus, clock, logger, source: 'billing' })
  const metrics = createMetrics('billing')
  measureBacklog({
    ...{ registry: metrics.registry, name: 'outbox', clock },
    readers: { events: () => outbox.backlog(backlogCountedTo) },
  })
  const auth = createInternalClient({
    caller: 'billing',
    secret: config.INTERNAL_SECRET,
    baseUrls: config.AUTH_INTERNAL_URL,
    timeoutMs: config.INTERNAL_TIMEOUT_MS,
    tracing,
  })
  return {
    config,
    clock,
    logger,
    metrics,
    tracing,
    connection,
    outbox,
    guard: createSessionGuard(config.TOKEN_PUBLIC_KEYS, clock),
    ledger: createLedgerStore(connection),
    findPerson: async (userId: string) =>
      (await auth.call(findPerson, { query: { userId, userCode: undefined } })).person,
    close: async () => {
      await outbox.close()
      await bus.close()
      await connection.close()
      await tracing.close()
    },
  }
}
