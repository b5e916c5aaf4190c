import { on } from '@sumlock/bus/handler'
import { limitsChanged } from '@sumlock/contracts/messaging-events'
import type { SocketServer } from '../socket-server.ts'

/** Makes the clients of these people fetch their limits again. */
export const onLimitsChanged = (sockets: Pick<SocketServer, 'emit'>) =>
  on(limitsChanged, ({ data: { userIds } }) => {
    // The payload is empty for everyone, so that it does not reveal who pays.
    sockets.emit(userIds, { type: 'limits_changed', data: {} })
    return Promise.resolve()
  })
