import { openBus } from '@sumlock/bus/service-bus'
import { redisChannel, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import { exchangeSession, getSessionChanges, isMember } from '@sumlock/contracts/internal-routes'
import type { RouteInput } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { createHintPublisher } from '@sumlock/service-kit/hint-publisher'
import { sessionChangesTimeoutMs } from '@sumlock/service-kit/session-changes'
import { createServiceBase, internalClient, openRedis } from '@sumlock/service-kit/service-base'
import type { Redis } from 'ioredis'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import { createRealtimeMetrics } from './metrics.ts'
import type { SocketSession } from './domain/socket-session.ts'
import { createInvalidationLog } from './infrastructure/invalidation-log.ts'
import { createMemberChannels } from './infrastructure/member-channels.ts'

export type Context = ReturnType<typeof createContext>

/** Creates the parts of realtime and connects them. Realtime stores no data. */
export function createContext(config: Config) {
  const base = createServiceBase(config, 'realtime')
  const metrics = createRealtimeMetrics(base.metrics)
  // All subscriptions share one connection, so that an outage interrupts all of them at the same time.
  const subscriber = withSafeListeners(openRedis(base, { subscriber: true }), () =>
    metrics.malformedPayloads.inc(),
  )
  const adapterPublisher = withSafePublish(
    openRedis(base, { url: config.REDIS_PUBLISH_URL }),
    metrics.registry,
  )
  const bus = openBus(base)
  const auth = internalClient(base, config.AUTH_INTERNAL_URL)
  base.onWarmUp(() => auth.call(getSessionChanges, { query: { since: undefined } }))
  const changes = internalClient(base, config.AUTH_INTERNAL_URL, sessionChangesTimeoutMs)
  const messaging = internalClient(base, config.MESSAGING_INTERNAL_URL)

  return {
    ...base,
    metrics,
    bus,
    subscriber,
    members: createMemberChannels(subscriber, {
      namespace: config.SUMLOCK_NAMESPACE,
      always: [redisChannel(config.SUMLOCK_NAMESPACE, sessionInvalidated.channel)],
    }),
    adapterPublisher,
    /** The log contains the sessions that were invalidated recently, according to Redis or auth. */
    invalidations: createInvalidationLog(),
    sessionChanges: (query: RouteInput<typeof getSessionChanges>['query']) =>
      changes.call(getSessionChanges, { query }),
    /**
     * Resolves with the session of a cookie, or with null when there is none. Throws `unavailable` when auth does not
     * answer.
     */
    identify: async (cookie: string): Promise<SocketSession | null> => {
      const askedAtMs = base.clock.nowMs()
      try {
        const { sid, userId, unlockedUntil } = await auth.call(exchangeSession, { body: { cookie } })
        return { sid, userId, askedAtMs, unlockedUntilMs: unlockedUntil ? Date.parse(unlockedUntil) : 0 }
      } catch (error) {
        if (error instanceof AppError && error.kind === 'unauthenticated') return null
        throw error
      }
    },
    isMember: async (id: string, userId: string) =>
      (await messaging.call(isMember, { params: { id, userId } })).isMember,
  }
}

/**
 * Replaces `publish` with one that never rejects: the adapter catches no errors, so an outage of Redis would end the
 * process.
 */
function withSafePublish(redis: Redis, registry: Registry): Redis {
  const { publish } = createHintPublisher(redis, registry)
  return Object.assign(redis, { publish })
}

type Listener = (...values: unknown[]) => unknown

/** Catches what listeners throw: the adapter throws on malformed payloads, which would end the process. */
function withSafeListeners(redis: Redis, onMalformed: () => void): Redis {
  const on = redis.on.bind(redis) as (event: string, listener: Listener) => Redis
  const guarded = (listener: Listener): Listener => {
    // An async function turns a thrown error into a rejection, so that one `catch` handles both.
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
