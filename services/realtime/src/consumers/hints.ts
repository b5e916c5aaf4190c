import { messageHint, redisChannel, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import type { MessageHint } from '@sumlock/contracts/redis-channels'
import { runFor } from '@sumlock/service-kit/request-context'
import type { Context } from '../context.ts'
import type { SocketServer } from '../socket-server.ts'
import type { MessageDelivery } from './message-sent.ts'

export type HintsContext = Pick<Context, 'hints' | 'invalidations' | 'logger' | 'metrics'> & {
  config: Pick<Context['config'], 'SUMLOCK_NAMESPACE'>
}

/** One log line per this many malformed payloads. */
const logOneOf = 1000

/** Listens to Redis for messages, ahead of their Kafka events, and for sessions that were locked or revoked. */
export function listenToHints(
  ctx: HintsContext,
  sockets: Pick<SocketServer, 'closeSession'>,
  deliver: MessageDelivery,
): void {
  const channels = {
    message: redisChannel(ctx.config.SUMLOCK_NAMESPACE, messageHint.channel),
    session: redisChannel(ctx.config.SUMLOCK_NAMESPACE, sessionInvalidated.channel),
  }
  let malformed = 0
  const drop = (channel: string, error?: unknown) => {
    ctx.metrics.malformedPayloads.inc()
    // Without the payload, which may contain a message.
    if (malformed++ % logOneOf === 0)
      ctx.logger.error({ channel, cause: nameOf(error) }, 'Redis hint was malformed and dropped')
  }

  const takeMessage = (text: string) => {
    const hint: unknown = JSON.parse(text)
    if (!isMessageHint(hint)) {
      drop(channels.message)
      return
    }
    const { request, ...data } = hint
    runFor(request, () => deliver('hint', data))
  }
  const takeSession = (text: string) => {
    const { sid, reason } = sessionInvalidated.data.parse(JSON.parse(text))
    if (reason === 'unlocked') return
    ctx.invalidations.add(sid)
    sockets.closeSession(sid)
  }

  ctx.hints.subscribe(channels.message, channels.session).catch(() => undefined)
  ctx.hints.on('message', (channel: string, text: string) => {
    // An error thrown by the listener would end the process.
    try {
      if (channel === channels.message) takeMessage(text)
      else takeSession(text)
    } catch (error) {
      drop(channel, error)
    }
  })
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'shape')

/** Checks only the fields read here: this is the hottest path, and only our own services can publish to it. */
function isMessageHint(hint: unknown): hint is MessageHint {
  const { message, memberIds, request } = (hint ?? {}) as Partial<MessageHint>
  return (
    typeof message === 'object' &&
    typeof message?.id === 'string' &&
    typeof message.createdAt === 'string' &&
    Array.isArray(memberIds) &&
    memberIds.every((memberId) => typeof memberId === 'string') &&
    (request === undefined || typeof request?.requestId === 'string')
  )
}
