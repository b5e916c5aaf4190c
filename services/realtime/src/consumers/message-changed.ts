import { on } from '@sumlock/bus/handler'
import { messageChanged } from '@sumlock/contracts/messaging-events'
import type { SocketServer } from '../socket-server.ts'

/** Notifies the members who are shown the change. */
export const onMessageChanged = (sockets: Pick<SocketServer, 'emit'>) =>
  on(messageChanged, ({ data: { conversationId, memberIds, version } }) => {
    sockets.emit(memberIds, { type: 'message_changed', data: { conversationId, version } })
    return Promise.resolve()
  })
