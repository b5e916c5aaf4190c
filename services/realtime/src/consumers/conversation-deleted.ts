import { on } from '@sumlock/bus/handler'
import { conversationDeleted } from '@sumlock/contracts/messaging-events'
import type { SocketServer } from '../socket-server.ts'

/** Notifies the devices of the member who deleted a conversation, and not the other member. */
export const onConversationDeleted = (sockets: Pick<SocketServer, 'emit'>) =>
  on(conversationDeleted, ({ data: { conversationId, userId } }) => {
    sockets.emit([userId], { type: 'conversation_deleted', data: { conversationId } })
    return Promise.resolve()
  })
