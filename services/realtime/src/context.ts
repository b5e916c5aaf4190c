import { createBus } from '@sumlock/bus/bus'
import { exchangeSession, getMembers, getSessionChanges } from '@sumlock/contracts/internal-routes'
import { AppError } from '@sumlock/service-kit/app-error'
import { systemClock } from '@sumlock/service-kit/clock'
import { createHintPublisher } from '@sumlock/service-kit/hint-publisher'
import { createInternalClient } from '@sumlock/service-kit/internal-client'
import { createLogger } from '@sumlock/service-kit/logger'
import { createRedis } from '@sumlock/service-kit/redis'
import { sessionChangesTimeoutMs } from '@sumlock/service-kit/session-changes'
import { startServiceTracing } from '@sumlock/service-kit/service-tracing'
import type { Redis } from 'ioredis'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import { createRealtimeMetrics } from './metrics.ts'
import type { Identity } from './domain/identity.ts'
import { createInvalidationLog } from './domain/invalidation-log.ts'

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
  const { INTERNAL_SECRET: secret, INTERNAL_TIMEOUT_MS: timeoutMs } = config
  const client = (baseUrls: readonly string[]) =>
    createInternalClient({ caller: 'realtime', secret, baseUrls, tracing, timeoutMs })
  const auth = client(config.AUTH_INTERNAL_URL)
  const changes = createInternalClient({
    caller: 'realtime',
    secret,
    baseUrls: config.AUTH_INTERNAL_URL,
    timeoutMs: sessionChangesTimeoutMs,
  })
  const messaging = client(config.MESSAGING_INTERNAL_URL)
  const metrics = createRealtimeMetrics()
  const hints = createRedis(config.REDIS_URL, logger, { subscriber: true })
  const adapterPublisher = forgiving(createRedis(config.REDIS_URL, logger), metrics.registry)
  const adapterSubscriber = tolerant(createRedis(config.REDIS_URL, logger, { subscriber: true }), () =>
    metrics.malformedPayloads.inc(),
  )

  return {
    config,
    clock,
    logger,
    metrics,
    tracing,
    bus,
    /** The connection that listens to hints and invalidations. */
    hints,
    adapterPublisher,
    adapterSubscriber,
    /** Sessions that were invalidated lately, told by Redis or by auth. */
    log: createInvalidationLog(),
    sessionChanges: (since: string | undefined) => changes.call(getSessionChanges, { query: { since } }),
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

/** The adapter catches no error of its publishing, and one while Redis is away would end the process. */
function forgiving(redis: Redis, registry: Registry): Redis {
  const { publish } = createHintPublisher(redis, registry)
  return Object.assign(redis, { publish })
}

type Listener = (...values: unknown[]) => unknown

/** The adapter throws at payloads it cannot read, and that would end the process. */
function tolerant(redis: Redis, onMalformed: () => void): Redis {
  const on = redis.on.bind(redis) as (event: string, listener: Listener) => Redis
  const guarded = (listener: Listener): Listener => {
    // It throws in one case and rejects in another.
    const run = async (...values: unknown[]) => {
      await listener(...values)
    }
    return (...values) => void run(...values).catch(onMalformed)
  }
  return Object.assign(redis, {
    on: (event: string, listener: Listener) =>
      on(event, event.endsWith('essageBuffer') ? guarded(listener) : listener),
  })
}
