import { on } from '@sumlock/bus/handler'
import { messageSent } from '@sumlock/contracts/messaging-events'
import type { Context } from '../context.ts'
import type { SocketServer } from '../socket-server.ts'

/**
 * Emits a message whose hints Redis did not accept; the subscription skips all others. A hidden message goes only to its
 * sender.
 */
export const onMessageSent = (
  { metrics, clock }: Pick<Context, 'metrics' | 'clock'>,
  sockets: Pick<SocketServer, 'emit'>,
) =>
  on(messageSent, ({ data: { message, memberIds, isHidden } }) => {
    sockets.emit(isHidden ? [message.senderId] : memberIds, { type: 'new_message', data: message })
    metrics.observeDelivery('kafka', clock.nowMs() - Date.parse(message.createdAt))
    return Promise.resolve()
  })
