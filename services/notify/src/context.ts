import { createBus } from '@sumlock/bus/bus'
import { backlogCountedTo, measureBacklog } from '@sumlock/service-kit/backlog-metrics'
import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { createMetrics } from '@sumlock/service-kit/metrics'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { startServiceTracing } from '@sumlock/service-kit/service-tracing'
import { createTransport } from 'nodemailer'
import type { Config } from './config.ts'
import type { Letter } from './domain/templates.ts'
import { migrations } from './migrations.ts'
import { createDeliveryStore } from './stores/delivery-store.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Everything notify works with, wired by hand. Resolves once the database has its newest shape. */
export async function createContext(config: Config) {
  const clock = systemClock(config.CLOCK_OFFSET_MS)
  const logger = createLogger({ service: 'notify', instance: config.INSTANCE, level: config.LOG_LEVEL })
  const tracing = await startServiceTracing(config, logger, 'notify')
  const connection = await connectMongo(config.MONGO_URL, logger)
  await runMigrations(connection, migrations, { clock, logger })
  const mail = createTransport(config.SMTP_URL, { from: config.MAIL_FROM })
  const bus = createBus({
    brokers: config.KAFKA_BROKERS,
    clientId: config.INSTANCE,
    namespace: config.SUMLOCK_NAMESPACE,
    logger,
  })
  const metrics = createMetrics('notify')
  const deliveries = createDeliveryStore(connection)
  measureBacklog({
    ...{ registry: metrics.registry, name: 'notice_delivery', clock },
    readers: { notices: () => deliveries.due(clock.now(), backlogCountedTo) },
  })
  return {
    config,
    clock,
    logger,
    metrics,
    tracing,
    connection,
    bus,
    deliveries,
    sendMail: async (letter: Letter & { messageId: string }) => {
      await mail.sendMail(letter)
    },
    close: async () => {
      mail.close()
      await bus.close()
      await connection.close()
      await tracing.close()
    },
  }
}
