import { Redis } from 'ioredis'
import type { Logger } from './logger.ts'
import { shareInterval } from './shared-interval.ts'

/** Time limit of a command; a subscriber connection has none. */
const commandTimeoutMs = 500
const pingEveryMs = 1000
/** After so many unanswered pings in a row, the connection is closed and reopened. */
const maxSilences = 2

/**
 * A Redis connection that reconnects automatically. While Redis is down, commands fail at once; the connection to a
 * Redis that hangs loses `ready` within three seconds. Redis carries hints only, so callers ignore failures. Pass
 * `subscriber` for a connection that only subscribes.
 */
export function createRedis(url: string, logger: Logger, { subscriber = false } = {}): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: subscriber,
    maxRetriesPerRequest: subscriber ? null : 0,
    autoResubscribe: true,
    disableClientInfo: true,
    connectTimeout: 1000,
    retryStrategy: (times) => Math.min(50 * times, 1000),
  })
  if (!subscriber) limitCommands(redis)
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

type Command = Parameters<Redis['sendCommand']>[0]

/**
 * Rejects commands that Redis does not answer in time, and lets go of what a command has held. ioredis assigns a function to a
 * property of each command, and V8 creates such functions in the old generation: whatever they reach would stay until a full
 * collection, and so would what ioredis' own `commandTimeout` leaves (docs/profiles.md, "What outlives a request").
 */
function limitCommands(redis: Redis): void {
  const send = redis.sendCommand.bind(redis)
  redis.sendCommand = (command, stream) => {
    const answered = send(command, stream)
    const timer = setTimeout(expire, commandTimeoutMs, command)
    const settle = () => {
      clearTimeout(timer)
      empty(command)
    }
    command.promise.then(settle, settle)
    return answered
  }
}

const expire = ({ reject }: Command): void => reject(new Error('Command timed out'))

const noArguments: Command['args'] = []
const ignore = (): undefined => undefined

/**
 * The answer of a command that timed out may still come: its place in the queue stays. No command is sent a second time
 * (`maxRetriesPerRequest`), which would need its arguments.
 */
function empty(command: Command): void {
  command.args = noArguments
  command.resolve = ignore
  command.reject = ignore
}

/** A peer that hangs, or a network that drops packets, closes no connection: only a missing answer reveals it. */
function closeWhenSilent(redis: Redis): void {
  let silences = 0
  let isPingPending = false
  const stop = shareInterval(pingEveryMs, () => {
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
  })
  redis.on('close', () => {
    silences = 0
    isPingPending = false
  })
  redis.on('end', stop)
}
