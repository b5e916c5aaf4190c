import { on } from '@sumlock/bus/handler'
import { messageSent } from '@sumlock/contracts/messaging-events'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
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
    const { toSender, toRecipient } = eventsOf(message, clock.nowMs())
    if (toSender === toRecipient) sockets.emit(told, toSender)
    else {
      sockets.emit([message.senderId], toSender)
      sockets.emit(
        told.filter((id) => id !== message.senderId),
        toRecipient,
      )
    }
    metrics.observeDelivery('kafka', clock.nowMs() - Date.parse(message.createdAt))
    return Promise.resolve()
  })

/**
 * The event can be so late that the message has vanished for its sender. It may have vanished for its recipient as well, who
 * therefore has to fetch it.
 */
function eventsOf(message: Message, nowMs: number): Record<'toSender' | 'toRecipient', ServerEvent> {
  const { conversationId, createdAt, vanishMs = Infinity, isOnce } = message
  const shown = (data: Message): ServerEvent => ({ type: 'new_message', data })
  const whole = shown(message)
  if (isOnce) return { toSender: shown(withoutContent(message)), toRecipient: whole }
  if (Date.parse(createdAt) + vanishMs > nowMs) return { toSender: whole, toRecipient: whole }
  return {
    toSender: shown(vanishedMessage(message)),
    toRecipient: { type: 'conversation_changed', data: { conversationId } },
  }
}
