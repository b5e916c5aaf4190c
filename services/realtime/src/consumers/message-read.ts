import { on } from '@sumlock/bus/handler'
import { messageRead } from '@sumlock/contracts/messaging-events'
import type { SocketServer } from '../socket-server.ts'

/** Tells both members how far one of them has read. */
export const onMessageRead = (sockets: Pick<SocketServer, 'emit'>) =>
  on(messageRead, ({ data: { conversationId, readerId, memberIds, seq } }) => {
    sockets.emit(memberIds, { type: 'message_read', data: { conversationId, readerId, seq } })
    return Promise.resolve()
  })
