import type { HandshakeRefusal, ServerEvent } from '@sumlock/contracts/socket'
import { createListeners } from './listeners.ts'
import type { LiveConnection, LiveListener, LiveState, SyncClock } from './ports.ts'

/** This adapter uses only these parts of Socket.IO's client socket. */
export interface ClientSocket {
  on(event: 'connect', listener: () => void): unknown
  on(event: 'disconnect', listener: (reason: string) => void): unknown
  on(event: 'connect_error', listener: (error: Error) => void): unknown
  on(event: 'event', listener: (event: ServerEvent) => void): unknown
  connect(): unknown
  disconnect(): unknown
}

export interface ClientSocketOptions {
  path: string
  transports: ['websocket']
  query: Record<string, string>
  autoConnect: boolean
  reconnection: boolean
  forceNew: boolean
}

/** The function is `io` of socket.io-client, or a wrapper that adds headers to it. */
export type OpenSocket = (url: string, options: ClientSocketOptions) => ClientSocket

export interface LiveConnectionOptions {
  io: OpenSocket
  /** The value is the origin of the server, such as `https://host`. */
  url: string
  userId: string
  /** The server checks that the person is a member of this open conversation. */
  conversationId?: string
  clock: SyncClock
}

const path = '/ws'
const reconnectMs = 3_000
const jitterMs = 1_000
const connectWithinMs = 8_000
const lastingRefusals: readonly string[] = [
  'no_session',
  'locked',
  'not_allowed',
  'origin_refused',
  'invalid_request',
] satisfies HandshakeRefusal[]

/**
 * Connects by Socket.IO and reconnects 3 to 4 s after every loss, until it is closed or the server refuses for a
 * permanent reason.
 */
export function connectLive(options: LiveConnectionOptions): LiveConnection {
  const { clock } = options
  let state: LiveState = { connected: false, degraded: false, refusal: null }
  let closed = false
  /** True during an attempt and while connected. */
  let active = false
  let timer: unknown
  const listeners = createListeners<[(listener: LiveListener) => void]>()
  const socket = openSocket(options)

  const set = (change: Partial<LiveState>) => {
    const next = { ...state, ...change }
    if (closed || (['connected', 'degraded', 'refusal'] as const).every((key) => next[key] === state[key]))
      return
    state = next
    listeners.emit((listener) => listener.onState?.(state))
  }
  const connectLater = () => {
    clock.clearTimeout(timer)
    active = false
    if (!closed && !state.refusal) timer = clock.setTimeout(connect, reconnectMs + clock.random() * jitterMs)
  }
  const fail = (reason: string) => {
    if (!closed) listeners.emit((listener) => listener.onError?.(reason))
  }
  const failAttempt = () => {
    connectLater()
    if (!closed) listeners.emit((listener) => listener.onFailedAttempt?.())
  }
  const connect = () => {
    if (closed || active) return
    clock.clearTimeout(timer)
    active = true
    // The timer also covers a server that accepts the connection and then sends nothing.
    timer = clock.setTimeout(() => {
      socket.disconnect()
      fail('no answer')
      failAttempt()
    }, connectWithinMs)
    socket.connect()
  }

  follow(socket, {
    onConnect: () => {
      clock.clearTimeout(timer)
      set({ connected: true, degraded: false, refusal: null })
    },
    onLoss: (reason, refusal, wasConnected) => {
      fail(reason)
      set({ connected: false, degraded: false, ...(wasConnected ? {} : { refusal }) })
      if (wasConnected || refusal) connectLater()
      else failAttempt()
    },
  })
  socket.on('event', (event) => {
    if (closed) return
    if (event.type === 'status') set({ degraded: event.data.degraded })
    if (event.type === 'locked') set({ refusal: 'locked' })
    listeners.emit((listener) => listener.onEvent?.(event))
  })
  connect()

  return {
    get state() {
      return state
    },
    subscribe: (listener) => listeners.add((call) => call(listener)),
    reconnect() {
      set({ refusal: null })
      connect()
    },
    close() {
      set({ connected: false })
      closed = true
      clock.clearTimeout(timer)
      socket.disconnect()
    },
  }
}

interface SocketEvents {
  onConnect: () => void
  /** Called when the connection was lost or an attempt failed. */
  onLoss: (reason: string, refusal: HandshakeRefusal | null, wasConnected: boolean) => void
}

function follow(socket: ClientSocket, { onConnect, onLoss }: SocketEvents): void {
  socket.on('connect', onConnect)
  socket.on('disconnect', (reason) => onLoss(reason, null, true))
  socket.on('connect_error', ({ message }) =>
    onLoss(message, lastingRefusals.includes(message) ? (message as HandshakeRefusal) : null, false),
  )
}

const openSocket = ({ io, url, userId, conversationId }: LiveConnectionOptions): ClientSocket =>
  io(url, {
    path,
    transports: ['websocket'],
    query: { userId, ...(conversationId ? { conversationId } : {}) },
    // Socket.IO's own delay grows and loses its jitter at the maximum, so `connectLater` reconnects instead.
    reconnection: false,
    autoConnect: false,
    forceNew: true,
  })
