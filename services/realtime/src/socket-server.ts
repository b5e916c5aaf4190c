import type { IncomingMessage, Server as HttpServer } from 'node:http'
import { adapterChannels, redisChannel } from '@sumlock/contracts/redis-channels'
import type { ServerEvent, ServerToClientEvents } from '@sumlock/contracts/socket'
import { socketPath } from '@sumlock/contracts/socket'
import { createAdapter } from '@socket.io/redis-adapter'
import { Server } from 'socket.io'
import type { Socket } from 'socket.io'
import type { Context } from './context.ts'
import type { LockSources } from './infrastructure/lock-sources.ts'
import { createOpenSessions } from './infrastructure/open-sessions.ts'
import { watchSlowReaders } from './infrastructure/slow-readers.ts'
import { admit } from './handshake.ts'
import { createUpgradeGuard } from './upgrade-guard.ts'
import type { Upgrade } from './upgrade-guard.ts'
import { watchSessions } from './watch-sessions.ts'

type None = Record<string, never>
interface SocketData {
  upgrade: Upgrade
  /** True while Redis has not confirmed that it sends the hints of this person to this instance. */
  isIncomplete: boolean
}
export type RealtimeServer = Server<None, ServerToClientEvents, None, SocketData>
export type RealtimeSocket = Socket<None, ServerToClientEvents, None, SocketData>

export interface SocketServer {
  /** Sends to the sockets of these people on all instances; to nobody if the list is empty. */
  emit(userIds: readonly string[], event: ServerEvent): void
  /** Sends to the sockets of a person on this instance. */
  emitHere(userId: string, event: ServerEvent): void
  /** Closes the sockets of a session on this instance. */
  closeSession(sid: string): void
  /** Checks these sessions, or all, at auth if they have sockets on this instance. */
  recheck(sids: readonly string[] | 'all'): void
  broadcast(event: ServerEvent): void
  readonly count: number
  /** Disconnects all clients in waves, so that they reconnect to other instances. */
  drain(): Promise<void>
}

export interface SocketServerState {
  isDegraded: () => boolean
  isDraining: () => boolean
  lockSources: LockSources
}

const userRoom = (userId: string): string => `user:${userId}`
const sessionRoom = (sid: string): string => `session:${sid}`
const wave = { size: 200, pauseMs: 100 }

/** Opens Socket.IO on the public server. Clients can only receive, because there are no handlers for messages from them. */
export function createSocketServer(http: HttpServer, ctx: Context, state: SocketServerState): SocketServer {
  const io = createIo(http, ctx)
  const sessions = createOpenSessions<RealtimeSocket>()
  const slowReaders = watchSlowReaders(undefined, () => ctx.metrics.slowSockets.inc())
  admitSockets(io, ctx, state)

  const socketsOf = (sid: string) => [...(sessions.get(sid)?.sockets ?? [])]
  const closeSession = (sid: string) => {
    for (const socket of socketsOf(sid)) {
      socket.emit('event', { type: 'locked', data: {} })
      socket.disconnect(true)
    }
  }
  const watch = watchSessions({
    ctx,
    sessions,
    lockSources: state.lockSources,
    onEnd(sid) {
      closeSession(sid)
      // If Redis works, the other instances close the sockets of the session as well, without their own call to auth.
      io.in(sessionRoom(sid)).disconnectSockets(true)
    },
    // The session may still be unlocked, so no `locked` is sent. The clients reconnect, perhaps to an instance that can
    // reach auth.
    onUnconfirmed(sid) {
      for (const socket of socketsOf(sid)) socket.disconnect(true)
    },
  })

  // The socket is registered in one turn of the event loop, so that every later invalidation finds it.
  io.on('connection', (socket) => {
    const { identity, cookie, position } = socket.data.upgrade
    const connection = socket.conn as unknown as { request: IncomingMessage | null }
    // The request is missing when a client connects a second socket over the same connection, which is already watched then.
    if (connection.request) slowReaders.watch(socket.conn, connection.request.socket)
    // The request of the handshake is freed, because it would stay in memory as long as the socket.
    connection.request = null
    socket.once('disconnect', () => {
      sessions.remove(identity.sid, socket)
      // The connection is closed as well: without its request, it cannot be admitted again.
      socket.conn.close()
    })
    const displaced = sessions.add(identity, cookie, socket)
    const { userId, sid } = identity
    void socket.join([userRoom(userId), sessionRoom(sid)])
    if (ctx.invalidations.changedSince(identity.sid, position)) {
      socket.disconnect(true)
      return
    }
    for (const oldest of displaced) oldest.disconnect(true)
    emitStatus(socket, state)
  })

  return {
    // Socket.IO sends to everybody if no room is given.
    emit: (userIds, event) => void (userIds.length > 0 && io.to(userIds.map(userRoom)).emit('event', event)),
    emitHere: (userId, event) => void io.local.to(userRoom(userId)).emit('event', event),
    closeSession,
    recheck(sids) {
      if (sids === 'all') watch.recheckAll()
      else watch.recheck(sids)
    },
    broadcast: (event) => void io.local.emit('event', event),
    get count() {
      return io.engine.clientsCount
    },
    async drain() {
      watch.stop()
      slowReaders.stop()
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

const createIo = (http: HttpServer, ctx: Context): RealtimeServer =>
  new Server(http, {
    path: socketPath,
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: 4096,
    // A connection without a socket, because its client did not connect one or was refused, is closed after this time.
    connectTimeout: 5000,
    // A client notices a hanging server within `pingInterval` plus `pingTimeout`, and fetches until it is connected again.
    pingInterval: 10_000,
    pingTimeout: 5000,
    adapter: createAdapter(ctx.adapterPublisher, ctx.subscriber, {
      key: redisChannel(ctx.config.SUMLOCK_NAMESPACE, adapterChannels),
      publishOnSpecificResponseChannel: true,
    }),
  })

/** Lets a socket connect when the checks of its upgrade and its handshake pass. */
function admitSockets(io: RealtimeServer, ctx: Context, state: SocketServerState): void {
  const { isDraining } = state
  const upgrades = createUpgradeGuard(ctx, { isDraining, sockets: () => io.engine.clientsCount })
  io.engine.use(upgrades.check)
  io.use((socket, next) => {
    const upgrade = upgrades.of(socket.request)
    if (!upgrade || isDraining()) {
      next(new Error('unavailable'))
      return
    }
    void admit(ctx, upgrade, socket.handshake.query).then(async (admission) => {
      if ('refusal' in admission) {
        next(new Error(admission.refusal))
        return
      }
      socket.data.upgrade = admission.upgrade
      await holdChannel(ctx, socket, () => emitStatus(socket, state))
      next()
    })
  })
}

/**
 * Sends the status. A client with `degraded: true` may miss hints, so it fetches every few seconds until it receives
 * `false`, and then once more.
 */
function emitStatus(socket: RealtimeSocket, { isDegraded }: SocketServerState): void {
  const degraded = socket.data.isIncomplete || isDegraded()
  socket.emit('event', { type: 'status', data: { degraded } })
}

/** Subscribes to the hints of the socket's person before the client gets `connected`. */
async function holdChannel({ members }: Context, socket: RealtimeSocket, onLate: () => void): Promise<void> {
  const { conn, data } = socket
  const { userId } = data.upgrade.identity
  if (conn.readyState !== 'open') return
  conn.once('close', () => members.release(userId))
  const isInTime = await members.hold(userId, () => {
    data.isIncomplete = false
    onLate()
  })
  data.isIncomplete = !isInTime
}
