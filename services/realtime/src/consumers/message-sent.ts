import { on } from '@sumlock/bus/handler'
import type { EventData } from '@sumlock/contracts/event'
import { messageSent } from '@sumlock/contracts/messaging-events'
import { createLru } from '@sumlock/service-kit/lru'
import type { Context } from '../context.ts'
import type { SocketServer } from '../socket-server.ts'

export type MessageDelivery = (via: 'hint' | 'kafka', sent: EventData<typeof messageSent>) => void

/** Ids that are remembered: a message from a hint is not delivered again by its event. */
const rememberedIds = 20_000

/** Emits a message to the sockets of both members, or of the sender alone, once, whether Redis or Kafka delivers it first. */
export function createMessageDelivery(
  { tracing, logger, metrics, clock }: Pick<Context, 'tracing' | 'logger' | 'metrics' | 'clock'>,
  sockets: Pick<SocketServer, 'emit'>,
  capacity = rememberedIds,
): MessageDelivery {
  const delivered = createLru<string, true>(capacity)
  return (via, { message, memberIds, isHidden }) => {
    if (delivered.has(message.id)) return
    delivered.set(message.id, true)
    const span = tracing.start('emit to sockets', { kind: 'consumer', attributes: { via } })
    sockets.emit(isHidden ? [message.senderId] : memberIds, { type: 'new_message', data: message })
    span.end()
    const tookMs = clock.nowMs() - Date.parse(message.createdAt)
    metrics.deliverySeconds.observe({ via }, Math.max(0, tookMs / 1000))
    logger.debug({ via }, 'message emitted to sockets')
  }
}

/** Delivers stored messages that no hint has delivered before. */
export const onMessageSent = (deliver: MessageDelivery) =>
  on(messageSent, ({ data }) => {
    // guard: kafka-carries
    deliver('kafka', data)
    return Promise.resolve()
  })
