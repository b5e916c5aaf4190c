import type { Server as HttpServer } from 'node:http'
import type { ServerEvent, ServerToClientEvents } from '@sumlock/contracts/socket'
import { socketPath } from '@sumlock/contracts/socket'
import { createAdapter } from '@socket.io/redis-adapter'
import { Server } from 'socket.io'
import type { Socket } from 'socket.io'
import type { Context } from './context.ts'
import { sessionRoom, userRoom } from './domain/identity.ts'
import { admit } from './handshake.ts'
import { watchSession } from './watch-session.ts'

type None = Record<string, never>
export type RealtimeServer = Server<None, ServerToClientEvents, None, { cookie: string }>
export type RealtimeSocket = Socket<None, ServerToClientEvents, None, { cookie: string }>

export interface SocketServer {
  /** To the sockets of these people on this instance; every instance hears of every event itself. */
  tell(userIds: readonly string[], event: ServerEvent): void
  /** Closes the sockets of a session on this instance. */
  closeSession(sid: string): void
  tellAll(event: ServerEvent): void
  readonly count: number
  /** Asks every client to go elsewhere, a part at a time. */
  drain(): Promise<void>
}

const wave = { size: 200, pauseMs: 100 }

/** Socket.IO on the public server. Clients may only listen: there is no handler for anything they say. */
export function createSocketServer(http: HttpServer, ctx: Context, isDegraded: () => boolean): SocketServer {
  const io: RealtimeServer = new Server(http, {
    path: socketPath,
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: 4096,
    // Who opened a connection and does not say who they are, or was refused, does not keep it.
    connectTimeout: 5000,
    // A client whose server hangs finds out within the sum of both, and fetches until it is connected again.
    pingInterval: 10_000,
    pingTimeout: 5000,
    adapter: createAdapter(ctx.adapterPublisher, ctx.adapterSubscriber, {
      key: `${ctx.config.SUMLOCK_NAMESPACE}:socket.io`,
      publishOnSpecificResponseChannel: true,
    }),
  })

  const closeSession = (sid: string) => {
    const session = io.local.in(sessionRoom(sid))
    session.emit('event', { type: 'locked', data: {} })
    session.disconnectSockets(true)
  }

  io.use((socket, next) => {
    admit(ctx, socket.handshake)
      .then(async (admission) => {
        if ('refusal' in admission) {
          next(new Error(admission.refusal))
          return
        }
        const { identity, cookie } = admission
        await socket.join([userRoom(identity.userId), sessionRoom(identity.sid)])
        watchSession(ctx, socket, identity, cookie, () => {
          // The session ended: its other sockets as well, here and (while Redis carries it) on the other instances.
          closeSession(identity.sid)
          io.in(sessionRoom(identity.sid)).disconnectSockets(true)
        })
        next()
      })
      .catch((error: unknown) => next(error instanceof Error ? error : new Error('unavailable')))
  })

  io.on('connection', (socket) => {
    // The handshake's request would stay in memory as long as the socket lives.
    ;(socket.conn as unknown as { request: unknown }).request = null
    socket.emit('event', { type: 'status', data: { degraded: isDegraded() } })
  })

  return {
    tell: (userIds, event) => void io.local.to(userIds.map(userRoom)).emit('event', event),
    closeSession,
    tellAll: (event) => void io.local.emit('event', event),
    get count() {
      return io.engine.clientsCount
    },
    async drain() {
      const sockets = [...io.of('/').sockets.values()]
      for (let from = 0; from < sockets.length; from += wave.size) {
        for (const socket of sockets.slice(from, from + wave.size)) socket.disconnect(true)
        if (from + wave.size < sockets.length)
          await new Promise((resolve) => setTimeout(resolve, wave.pauseMs))
      }
      io.engine.close()
    },
  }
}
