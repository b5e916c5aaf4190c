import { createBus } from '@sumlock/bus/bus'
import { exchangeSession, getMembers } from '@sumlock/contracts/internal-routes'
import { AppError } from '@sumlock/service-kit/app-error'
import { systemClock } from '@sumlock/service-kit/clock'
import { createInternalClient } from '@sumlock/service-kit/internal-client'
import { createLogger } from '@sumlock/service-kit/logger'
import { createRedis } from '@sumlock/service-kit/redis'
import { startServiceTracing } from '@sumlock/service-kit/service-tracing'
import type { Redis } from 'ioredis'
import type { Config } from './config.ts'
import { createRealtimeMetrics } from './metrics.ts'
import type { Identity } from './domain/identity.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Everything realtime works with, wired by hand. It owns no data. */
export async function createContext(config: Config) {
  const clock = systemClock(config.CLOCK_OFFSET_MS)
  const logger = createLogger({ service: 'realtime', instance: config.INSTANCE, level: config.LOG_LEVEL })
  const tracing = await startServiceTracing(config, logger, 'realtime')
  const bus = createBus({
    brokers: config.KAFKA_BROKERS,
    clientId: config.INSTANCE,
    namespace: config.SUMLOCK_NAMESPACE,
    logger,
  })
  const client = (baseUrls: readonly string[]) =>
    createInternalClient({
      ...{ caller: 'realtime', secret: config.INTERNAL_SECRET, baseUrls },
      ...{ tracing, patience: config.PATIENCE },
    })
  const auth = client(config.AUTH_INTERNAL_URL)
  const messaging = client(config.MESSAGING_INTERNAL_URL)
  const hints = createRedis(config.REDIS_URL, logger, { subscriber: true })
  const adapterPublisher = forgiving(createRedis(config.REDIS_URL, logger))
  const adapterSubscriber = createRedis(config.REDIS_URL, logger, { subscriber: true })

  return {
    config,
    clock,
    logger,
    metrics: createRealtimeMetrics(),
    tracing,
    bus,
    /** The connection that listens to hints and invalidations. */
    hints,
    adapterPublisher,
    adapterSubscriber,
    /** Who is behind a cookie; null when nobody. Throws `unavailable` when auth does not answer. */
    identify: async (cookie: string): Promise<Identity | null> => {
      try {
        const { sid, userId, unlockedUntil } = await auth.call(exchangeSession, { body: { cookie } })
        return { sid, userId, unlockedUntilMs: unlockedUntil ? Date.parse(unlockedUntil) : 0 }
      } catch (error) {
        if (error instanceof AppError && error.kind === 'unauthenticated') return null
        throw error
      }
    },
    membersOf: async (id: string) => (await messaging.call(getMembers, { params: { id } })).memberIds,
    close: async () => {
      await bus.close()
      for (const redis of [hints, adapterPublisher, adapterSubscriber]) redis.disconnect()
      await tracing.close()
    },
  }
}

/** The adapter lets nobody catch what its publishing throws while Redis is away, and that would end the process. */
function forgiving(redis: Redis): Redis {
  const publish: (channel: string, text: string) => Promise<number> = redis.publish.bind(redis)
  return Object.assign(redis, {
    // guard: alive-without-redis
    publish: (channel: string, text: string) => publish(channel, text).catch(() => 0),
  })
}
