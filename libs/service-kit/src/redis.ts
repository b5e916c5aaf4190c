import { Redis } from 'ioredis'
import type { Logger } from './logger.ts'

/**
 * A Redis connection that heals by itself and never makes a caller wait: while it is away, commands fail at once.
 * Redis carries hints only, so callers catch and go on. Pass `subscriber` for a connection that only subscribes.
 */
export function createRedis(url: string, logger: Logger, { subscriber = false } = {}): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: subscriber,
    maxRetriesPerRequest: subscriber ? null : 0,
    autoResubscribe: true,
    connectTimeout: 1000,
    retryStrategy: (times) => Math.min(50 * times, 1000),
  })
  let reported = false
  redis.on('error', (error: Error) => {
    if (!reported) logger.warn({ err: error }, 'redis is away')
    reported = true
  })
  redis.on('ready', () => {
    if (reported) logger.info('redis is back')
    reported = false
  })
  return redis
}
