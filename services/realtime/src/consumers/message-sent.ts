import { on } from '@sumlock/bus/handler'
import { messageSent } from '@sumlock/contracts/messaging-events'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { vanishedMessage, withoutContent } from '@sumlock/contracts/without-content'
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
    const toSender = asItsSenderIsTold(message, clock.now())
    if (toSender !== message) {
      sockets.emit([message.senderId], { type: 'new_message', data: toSender })
      sockets.emit(
        told.filter((id) => id !== message.senderId),
        { type: 'new_message', data: message },
      )
    } else sockets.emit(told, { type: 'new_message', data: message })
    metrics.observeDelivery('kafka', clock.nowMs() - Date.parse(message.createdAt))
    return Promise.resolve()
  })

/** The event can be so late that the message has vanished for its sender already. */
function asItsSenderIsTold(message: Message, now: Date): Message {
  if (message.isOnce) return withoutContent(message)
  const { createdAt, vanishMs } = message
  const isOver = vanishMs !== undefined && Date.parse(createdAt) + vanishMs <= now.getTime()
  return isOver ? vanishedMessage(message) : message
}
