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
  /** Whether Redis has not confirmed yet that it sends the person's hints here. */
  isIncomplete: boolean
}
export type RealtimeServer = Server<None, ServerToClientEvents, None, SocketData>
export type RealtimeSocket = Socket<None, ServerToClientEvents, None, SocketData>

export interface SocketServer {
  /** Sends to the sockets of these people on all instances. */
  emit(userIds: readonly string[], event: ServerEvent): void
  /** Sends to the sockets of a person on this instance. */
  emitHere(userId: string, event: ServerEvent): void
  /** Closes the sockets of a session on this instance. */
  closeSession(sid: string): void
  /** Checks these sessions, or all, at auth if they have sockets on this instance. */
  recheck(sids: readonly string[] | 'all'): void
  broadcast(event: ServerEvent): void
  readonly count: number
  /** Disconnects every client, some at a time, so that they reconnect to other instances. */
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

/** Socket.IO on the public server. Clients only listen: no handler exists for messages from them. */
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
      // While Redis works, this spares the other instances their own call to auth.
      io.in(sessionRoom(sid)).disconnectSockets(true)
    },
    // The session may be unlocked: its clients reconnect, and another instance may have a newer answer.
    onUnconfirmed(sid) {
      for (const socket of socketsOf(sid)) socket.disconnect(true)
    },
  })

  // Register in one turn of the event loop, so that every later invalidation finds the socket.
  io.on('connection', (socket) => {
    const { identity, cookie, position } = socket.data.upgrade
    const connection = socket.conn as unknown as { request: IncomingMessage | null }
    // The connection is already watched when its client connects a second time.
    if (connection.request) slowReaders.watch(socket.conn, connection.request.socket)
    // Free the handshake's request: it would stay in memory as long as the socket lives.
    connection.request = null
    socket.once('disconnect', () => {
      sessions.remove(identity.sid, socket)
      // Without its request, the connection cannot become a socket a second time.
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
    emit: (userIds, event) => void io.to(userIds.map(userRoom)).emit('event', event),
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
    // Closes connections of clients that do not authenticate or were refused.
    connectTimeout: 5000,
    // A client notices a hanging server within the sum of both, and fetches until it is connected again.
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

/** A client whose hints may be missing fetches every few seconds, and once more when they are complete. */
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
