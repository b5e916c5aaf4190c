import { on } from '@sumlock/bus/handler'
import {
  conversationStarted,
  limitsChanged,
  messageRead,
  messageSent,
} from '@sumlock/contracts/messaging-events'
import type { MessageDelivery } from '../deliver-message.ts'
import type { SocketServer } from '../socket-server.ts'

/** What Kafka tells, passed on to the people concerned. What a hint brought before is not brought again. */
export const eventHandlers = (sockets: Pick<SocketServer, 'tell'>, deliver: MessageDelivery) => [
  on(messageSent, ({ data }) => {
    // guard: kafka-carries
    deliver('kafka', data)
    return Promise.resolve()
  }),
  on(messageRead, ({ data: { conversationId, readerId, memberIds, seq } }) => {
    sockets.tell(memberIds, { type: 'message_read', data: { conversationId, readerId, seq } })
    return Promise.resolve()
  }),
  on(conversationStarted, ({ data: { conversationId, memberIds } }) => {
    sockets.tell(memberIds, { type: 'conversation_started', data: { conversationId } })
    return Promise.resolve()
  }),
  on(limitsChanged, ({ data: { userIds } }) => {
    // The same empty payload for everyone: nobody may learn who pays.
    sockets.tell(userIds, { type: 'limits_changed', data: {} })
    return Promise.resolve()
  }),
]
