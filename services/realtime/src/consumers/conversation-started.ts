import { on } from '@sumlock/bus/handler'
import { conversationStarted } from '@sumlock/contracts/messaging-events'
import type { SocketServer } from '../socket-server.ts'

/** Notifies both members of their new conversation. */
export const onConversationStarted = (sockets: Pick<SocketServer, 'emit'>) =>
  on(conversationStarted, ({ data: { conversationId, memberIds } }) => {
    sockets.emit(memberIds, { type: 'conversation_started', data: { conversationId } })
    return Promise.resolve()
  })
