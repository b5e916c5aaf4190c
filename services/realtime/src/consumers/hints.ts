import { memberChannel, redisChannel, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import type { MemberHint } from '@sumlock/contracts/redis-channels'
import { runFor } from '@sumlock/service-kit/request-context'
import type { Context } from '../context.ts'
import type { SocketServer } from '../socket-server.ts'

export type HintsContext = Pick<
  Context,
  'subscriber' | 'invalidations' | 'logger' | 'metrics' | 'tracing' | 'clock'
> & {
  config: Pick<Context['config'], 'SUMLOCK_NAMESPACE'>
}

/** The first of this many malformed payloads is logged. */
const logOneOf = 1000

/** Handles messages from Redis: hints for people who have sockets here, and sessions that were locked or revoked. */
export function listenToHints(
  ctx: HintsContext,
  sockets: Pick<SocketServer, 'closeSession' | 'emitHere'>,
): void {
  const prefix = memberChannel(ctx.config.SUMLOCK_NAMESPACE)
  const sessions = redisChannel(ctx.config.SUMLOCK_NAMESPACE, sessionInvalidated.channel)
  let malformed = 0
  const drop = (channel: string, error?: unknown) => {
    ctx.metrics.malformedPayloads.inc()
    // The log line contains neither the payload, which may hold a message, nor the user id in the name of the channel.
    if (malformed++ % logOneOf === 0)
      ctx.logger.error({ channel, cause: nameOf(error) }, 'Redis hint was malformed and dropped')
  }

  const takeMemberHint = (userId: string, text: string) => {
    const hint: unknown = JSON.parse(text)
    if (!isMemberHint(hint)) {
      drop('member')
      return
    }
    runFor(hint.request, () => deliver(userId, hint.event))
  }
  const deliver = (userId: string, event: MemberHint['event']) => {
    const span = ctx.tracing.start('emit to sockets', { kind: 'consumer', attributes: { via: 'hint' } })
    sockets.emitHere(userId, event)
    span.end()
    ctx.logger.debug({ type: event.type }, 'hint emitted to sockets')
    // Both members get a hint, but the delivery is measured only once, at the receiver.
    if (event.type === 'new_message' && event.data.senderId !== userId)
      ctx.metrics.observeDelivery('hint', ctx.clock.nowMs() - Date.parse(event.data.createdAt))
  }
  const takeSession = (text: string) => {
    const { sid, reason } = sessionInvalidated.data.parse(JSON.parse(text))
    if (reason === 'unlocked') return
    ctx.invalidations.add(sid)
    sockets.closeSession(sid)
  }

  ctx.subscriber.on('message', (channel: string, text: string) => {
    // An error thrown by the listener would end the process.
    try {
      if (channel.startsWith(prefix)) takeMemberHint(channel.slice(prefix.length), text)
      else if (channel === sessions) takeSession(text)
    } catch (error) {
      drop(channel.startsWith(prefix) ? 'member' : channel, error)
    }
  })
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'shape')

/**
 * Checks only the fields that this file reads. It runs for every hint and member, and only our own services can publish
 * hints.
 */
function isMemberHint(hint: unknown): hint is MemberHint {
  const { event, request } = (hint ?? {}) as Partial<MemberHint>
  if (typeof event?.type !== 'string' || typeof event.data !== 'object') return false
  if (request !== undefined && typeof request.requestId !== 'string') return false
  return event.type !== 'new_message' || typeof event.data.createdAt === 'string'
}
