import { on } from '@sumlock/bus/handler'
import { conversationStateChanged } from '@sumlock/contracts/messaging-events'
import type { SocketServer } from '../socket-server.ts'

/** Notifies the devices of the member who muted, blocked or accepted a conversation, and not the other member. */
export const onConversationStateChanged = (sockets: Pick<SocketServer, 'emit'>) =>
  on(conversationStateChanged, ({ data: { conversationId, userId } }) => {
    sockets.emit([userId], { type: 'conversation_changed', data: { conversationId } })
    return Promise.resolve()
  })
