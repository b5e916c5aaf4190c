import { Redis } from 'ioredis'
import type { Logger } from './logger.ts'

/** How long a command may take; a connection that only subscribes has no such limit. */
const commandTimeoutMs = 500
const pingEveryMs = 1000
/** A connection that left so many pings in a row unanswered is closed and made again. */
const silencesAtMost = 2

/**
 * A Redis connection that heals by itself and never makes a caller wait: while it is away, commands fail at once, and a
 * Redis that hangs loses `ready` within three seconds. Redis carries hints only, so callers catch and go on. Pass
 * `subscriber` for a connection that only subscribes.
 */
export function createRedis(url: string, logger: Logger, { subscriber = false } = {}): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: subscriber,
    maxRetriesPerRequest: subscriber ? null : 0,
    autoResubscribe: true,
    connectTimeout: 1000,
    retryStrategy: (times) => Math.min(50 * times, 1000),
    ...(subscriber ? {} : { commandTimeout: commandTimeoutMs }),
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
  closeWhenSilent(redis)
  return redis
}

/** A peer that stopped, or a network that drops packets, ends no connection: only a missing answer shows it. */
function closeWhenSilent(redis: Redis): void {
  let silences = 0
  let isPingPending = false
  const timer = setInterval(() => {
    // The handshake of a connection is a question, too.
    silences = isPingPending || redis.status === 'connect' ? silences + 1 : 0
    if (silences >= silencesAtMost) {
      silences = 0
      redis.stream.destroy(new Error(`Redis left ${silencesAtMost} pings unanswered`))
      return
    }
    if (isPingPending || redis.status !== 'ready') return
    isPingPending = true
    redis.ping().then(
      () => (isPingPending = false),
      // After its time-out a command is still unanswered; a new connection begins without questions.
      () => undefined,
    )
  }, pingEveryMs)
  timer.unref()
  redis.on('close', () => {
    silences = 0
    isPingPending = false
  })
  redis.on('end', () => clearInterval(timer))
}
