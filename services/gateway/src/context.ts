import { allRoutes } from '@sumlock/contracts/all-routes'
import {
  exchangeSession,
  getActivities,
  getEntitlement,
  getEntitlements,
  getQuota,
  getSessionChanges,
} from '@sumlock/contracts/internal-routes'
import { redisChannel, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import type { ServiceName } from '@sumlock/contracts/route'
import { followSessionChanges, sessionChangesTimeoutMs } from '@sumlock/service-kit/session-changes'
import { createSecurityEvents } from '@sumlock/service-kit/security-events'
import { createServiceBase, internalClient, openRedis } from '@sumlock/service-kit/service-base'
import type { ServiceBase } from '@sumlock/service-kit/service-base'
import type { Config } from './config.ts'
import { resolveReplicas } from './infrastructure/resolve-replicas.ts'
import { createSessionCache } from './infrastructure/session-cache.ts'
import type { GatewaySession, Lookup, SessionCache } from './infrastructure/session-cache.ts'
import { createSharedLimiters } from './infrastructure/shared-limiter.ts'
import { createUpstream } from './infrastructure/upstream.ts'
import type { Upstream } from './infrastructure/upstream.ts'
import { createGatewayMetrics } from './metrics.ts'
import { createRateLimits, noRateLimits } from './pipeline/rate-limits.ts'

/** Two calls to auth fit into this time, so one may fail before sessions are remembered for a shorter time. */
const followedWithinMs = 4000

export type Context = ReturnType<typeof createContext>

/** Creates and connects the parts of the gateway, which owns no data. */
export function createContext(config: Config) {
  const base = createServiceBase(config, 'gateway')
  const { logger, onClose } = base
  const metrics = createGatewayMetrics(base.metrics)
  const messaging = internalClient(base, config.MESSAGING_INTERNAL_URL)
  const billing = internalClient(base, config.BILLING_INTERNAL_URL)

  const sessions = createSessions(base, config, metrics.lookedUp)
  const countingRedis = config.RATE_LIMITS === 'on' ? openRedis(base) : undefined
  const limits = countingRedis
    ? createRateLimits(Object.values(allRoutes), {
        createStrict: createSharedLimiters(
          countingRedis,
          config.SUMLOCK_NAMESPACE,
          config.RATE_LIMIT_TIMEOUT_MS,
        ),
        ownerOf: sessions.ownerOf,
        nowMs: base.clock.nowMs,
        onRefused: metrics.refused,
      })
    : noRateLimits

  const upstream = (urls: readonly string[], maxConcurrency = config.UPSTREAM_MAX_CONCURRENCY) => {
    const created = createUpstream(urls, maxConcurrency)
    onClose(() => created.agent.destroy())
    onClose(resolveReplicas({ urls, upstream: created, logger }).stop)
    return created
  }
  const upstreams: Record<Exclude<ServiceName, 'gateway' | 'realtime'> | 'streams', Upstream> = {
    auth: upstream(config.AUTH_URL),
    messaging: upstream(config.MESSAGING_URL),
    billing: upstream(config.BILLING_URL),
    notify: upstream(config.NOTIFY_URL),
    streams: upstream(config.MESSAGING_URL, config.UPSTREAM_MAX_STREAMS),
  }

  return {
    ...base,
    metrics,
    security: createSecurityEvents({ registry: metrics.registry, logger, key: config.CSRF_SECRET }),
    sessions,
    limits,
    upstreams,
    sockets: config.REALTIME_URL && upstream(config.REALTIME_URL),
    entitlementOf: (userId: string) => billing.call(getEntitlement, { params: { userId } }),
    entitlementsOf: (userIds: readonly string[]) =>
      billing.call(getEntitlements, { body: { userIds: [...userIds] } }),
    activitiesOf: (userIds: readonly string[], adminId: string) =>
      messaging.call(getActivities, { body: { userIds: [...userIds], adminId } }),
    quotaOf: (userId: string) => messaging.call(getQuota, { params: { userId } }),
  }
}

/** Exchanges cookies for sessions at auth, and remembers the sessions until auth or Redis names them as changed. */
function createSessions(
  base: ServiceBase<Config>,
  config: Config,
  onLookup: (lookup: Lookup) => void,
): SessionCache {
  const { clock, logger, onClose, onWarmUp } = base
  const auth = internalClient(base, config.AUTH_INTERNAL_URL)
  onWarmUp(() => auth.call(getSessionChanges, { query: { since: undefined } }))
  const exchange = async (cookie: string): Promise<GatewaySession> => {
    const answer = await auth.call(exchangeSession, { body: { cookie } })
    const { tokens = {}, sid, userId, unlockedUntil, isAdmin, passwordGivenAt, expiresAt } = answer
    return {
      tokens,
      sid,
      userId,
      isAdmin,
      expiresAtMs: Date.parse(expiresAt),
      unlockedUntilMs: unlockedUntil ? Date.parse(unlockedUntil) : 0,
      passwordGivenAtMs: Date.parse(passwordGivenAt),
    }
  }
  const isFollowing = () => follower.lastGoodAnswerAgeMs() < followedWithinMs
  const sessions = createSessionCache(exchange, clock, { isFollowing, onLookup })
  const changes = internalClient(base, config.AUTH_INTERNAL_URL, sessionChangesTimeoutMs)
  const follower = followSessionChanges({
    ask: (query) => changes.call(getSessionChanges, { query }),
    onChanged: (sids) => {
      for (const sid of sids) sessions.forgetSession(sid)
    },
    onReset: () => sessions.forgetAll(),
    clock,
    logger,
  })
  onClose(follower.stop)

  const redis = openRedis(base, { subscriber: true })
  // Redis names changed sessions at once. When one of its messages is lost, the follower names the session within four seconds.
  redis.subscribe(redisChannel(config.SUMLOCK_NAMESPACE, sessionInvalidated.channel)).catch(() => undefined)
  redis.on('message', (_channel: string, text: string) => {
    const parsed = sessionInvalidated.data.safeParse(safeJson(text))
    if (parsed.success) sessions.forgetSession(parsed.data.sid)
  })
  return sessions
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
