import type { EventData } from '@sumlock/contracts/event'
import type { messageSent } from '@sumlock/contracts/messaging-events'
import type { Context } from './context.ts'
import type { Seen } from './infrastructure/seen.ts'
import type { SocketServer } from './socket-server.ts'

export type MessageDelivery = (via: 'hint' | 'kafka', sent: EventData<typeof messageSent>) => void

/** Emits a message to the sockets of both members once, whether Redis or Kafka delivers it first. */
export function createMessageDelivery(
  { tracing, logger, metrics, clock }: Pick<Context, 'tracing' | 'logger' | 'metrics' | 'clock'>,
  sockets: Pick<SocketServer, 'emit'>,
  seen: Seen,
): MessageDelivery {
  return (via, { message, memberIds }) => {
    if (!seen.isNew(message.id)) return
    const span = tracing.start('emit to sockets', { kind: 'consumer', attributes: { via } })
    sockets.emit(memberIds, { type: 'new_message', data: message })
    span.end()
    const tookMs = clock.nowMs() - Date.parse(message.createdAt)
    metrics.deliverySeconds.observe({ via }, Math.max(0, tookMs / 1000))
    logger.debug({ via }, 'message emitted to sockets')
  }
}
