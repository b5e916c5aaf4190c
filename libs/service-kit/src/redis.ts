import { Redis } from 'ioredis'
import type { Logger } from './logger.ts'

/** A command fails after this time. A subscriber's connection has no limit. */
const commandTimeoutMs = 500
const pingEveryMs = 1000
/** After this number of unanswered pings in a row, the connection is closed and reopened. */
const maxSilences = 2
/** A log line names at most this many channels. */
const mostNamed = 3

/**
 * Opens a Redis connection that reconnects by itself. While Redis is down, commands fail at once; when Redis hangs,
 * the connection loses `ready` within three seconds. Redis only carries hints, so callers ignore failures. Pass
 * `subscriber` for a connection that only subscribes.
 */
export function createRedis(url: string, logger: Logger, { subscriber = false } = {}): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: subscriber,
    maxRetriesPerRequest: subscriber ? null : 0,
    autoResubscribe: true,
    disableClientInfo: true,
    connectTimeout: 1000,
    ...(subscriber ? {} : { commandTimeout: commandTimeoutMs }),
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
  if (subscriber) reportRefusals(redis, logger)
  closeWhenSilent(redis)
  return redis
}

/** A Redis that hangs, or a network that drops packets, closes no connection, so only missing answers reveal it. */
function closeWhenSilent(redis: Redis): void {
  let silences = 0
  let isPingPending = false
  const timer = setInterval(() => {
    // An unanswered handshake counts like an unanswered ping.
    silences = isPingPending || redis.status === 'connect' ? silences + 1 : 0
    if (silences >= maxSilences) {
      silences = 0
      redis.stream.destroy(new Error(`Redis left ${maxSilences} pings unanswered`))
      return
    }
    if (isPingPending || redis.status !== 'ready') return
    isPingPending = true
    redis.ping().then(
      () => (isPingPending = false),
      // A ping that timed out stays pending until the connection is replaced.
      () => undefined,
    )
  }, pingEveryMs).unref()
  redis.on('close', () => {
    silences = 0
    isPingPending = false
  })
  redis.on('end', () => clearInterval(timer))
}

/**
 * Logs a channel for which the user has no right. ioredis subscribes again after a reconnection, and the adapter of Socket.IO
 * at its start, without a handler for a refusal, which would end the process.
 */
function reportRefusals(redis: Redis, logger: Logger): void {
  for (const name of ['subscribe', 'psubscribe'] as const) {
    const send = redis[name].bind(redis) as (...args: unknown[]) => Promise<unknown>
    const sendAndReport = (...args: unknown[]) => {
      const answer = send(...args)
      answer.catch((error: Error) => {
        if (error.name !== 'ReplyError') return
        logger.warn(
          { reason: error.message, channels: args.flat().slice(0, mostNamed) },
          'Redis refused a subscription',
        )
      })
      return answer
    }
    Object.assign(redis, { [name]: sendAndReport })
  }
}
