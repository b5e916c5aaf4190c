import type { ServiceName } from '@sumlock/contracts/route'
import type { Redis } from 'ioredis'
import { systemClock } from './clock.ts'
import type { Clock } from './clock.ts'
import type { CommonConfig } from './config.ts'
import type { Health } from './health.ts'
import { createInternalClient } from './internal-client.ts'
import type { InternalClient } from './internal-client.ts'
import { createLogger } from './logger.ts'
import type { Logger } from './logger.ts'
import { createMetrics } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { createRedis } from './redis.ts'
import { createRepeat } from './repeat.ts'
import type { Repeat } from './repeat.ts'
import { startServiceTracing } from './service-tracing.ts'
import type { Tracing } from './tracing.ts'
import type { Opener } from './warm-up.ts'

/** Every service has these parts. `serve` runs a service; the functions below open further parts. */
export interface ServiceBase<C extends CommonConfig = CommonConfig> {
  readonly name: ServiceName
  readonly config: C
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly health: Health
  readonly openers: readonly Opener[]
  /** Registers a connection that is opened before the service is ready. */
  onWarmUp(this: void, open: Opener): void
  /** Registers a function that runs when the service stops. The last one registered runs first. */
  onClose(this: void, close: () => unknown): void
  readonly repeat: Repeat
  /** Runs the functions of `onClose` in reverse order, one after another. */
  close(this: void): Promise<void>
}

export function createServiceBase<C extends CommonConfig>(config: C, name: ServiceName): ServiceBase<C> {
  const logger = createLogger({ service: name, instance: config.INSTANCE, level: config.LOG_LEVEL })
  const tracing = startServiceTracing(config, logger, name)
  const closers: (() => unknown)[] = [tracing.close]
  const openers: Opener[] = []
  const metrics = createMetrics(name)
  const onClose = (close: () => unknown) => void closers.push(close)
  return {
    name,
    config,
    clock: systemClock(config.CLOCK_OFFSET_MS),
    logger,
    metrics,
    tracing,
    health: { checks: {}, draining: false },
    openers,
    onWarmUp: (open) => void openers.push(open),
    onClose,
    repeat: createRepeat({ logger, metrics, onClose }),
    async close() {
      for (let close = closers.pop(); close; close = closers.pop()) await close()
    },
  }
}

/** Opens a connection by `createRedis` that is closed with the service. `url` is REDIS_URL unless given. */
export function openRedis(
  { config, logger, onClose }: ServiceBase<CommonConfig & { REDIS_URL: string }>,
  { url = config.REDIS_URL, ...options }: { url?: string; subscriber?: boolean } = {},
): Redis {
  const redis = createRedis(url, logger, options)
  onClose(() => redis.disconnect())
  return redis
}

/** Returns a client for the internal routes of another service. `timeoutMs` is INTERNAL_TIMEOUT_MS unless given. */
export const internalClient = (
  { name, config, tracing }: ServiceBase,
  baseUrls: readonly string[],
  timeoutMs = config.INTERNAL_TIMEOUT_MS,
): InternalClient =>
  createInternalClient({ caller: name, secret: config.INTERNAL_SECRET, baseUrls, timeoutMs, tracing })
