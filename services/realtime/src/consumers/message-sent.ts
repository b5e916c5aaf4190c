import { on } from '@sumlock/bus/handler'
import { messageSent } from '@sumlock/contracts/messaging-events'
import { withoutContent } from '@sumlock/contracts/without-content'
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
    const told = isHidden ? [message.senderId] : memberIds
    if (message.isOnce) {
      sockets.emit([message.senderId], { type: 'new_message', data: withoutContent(message) })
      sockets.emit(
        told.filter((id) => id !== message.senderId),
        { type: 'new_message', data: message },
      )
    } else sockets.emit(told, { type: 'new_message', data: message })
    metrics.observeDelivery('kafka', clock.nowMs() - Date.parse(message.createdAt))
    return Promise.resolve()
  })
