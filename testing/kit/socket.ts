import type { HandshakeRefusal, ServerEvent } from '@sumlock/contracts/socket'
import { connectLive } from '@sumlock/sync/live-connection'
import type { OpenSocket } from '@sumlock/sync/live-connection'
import type { LiveConnection, LiveState } from '@sumlock/sync/ports'
import { systemClock } from '@sumlock/sync/system-clock'
import { io } from 'socket.io-client'
import type { Person } from './people.ts'

export interface ConnectOptions {
  /** The handshake claims this user id; by default, it is the person's own. */
  userId?: string
  conversationId?: string
}

interface UpgradeError extends Error {
  description?: { message?: string }
}

const refusalOf: Readonly<Record<string, HandshakeRefusal>> = { 401: 'no_session', 403: 'origin_refused' }

/** Opens a real socket through the gateway, with the cookies and the Origin that a browser would send. */
export function connect(
  { client, user }: Pick<Person, 'client' | 'user'>,
  options: ConnectOptions = {},
): LiveConnection {
  const openSocket: OpenSocket = (url, socketOptions) => {
    const extraHeaders = { origin: client.origin, cookie: client.cookieHeader }
    const socket = io(url, { ...socketOptions, extraHeaders })
    // A browser cannot read the status of a refused upgrade. Here the status is translated into the refusal that the
    // sync engine expects.
    return socket.on('connect_error', (error: UpgradeError) => {
      const [, status = ''] = /response: (\d+)/.exec(error.description?.message ?? '') ?? []
      error.message = refusalOf[status] ?? error.message
    })
  }
  return connectLive({
    io: openSocket,
    url: client.gatewayUrl,
    userId: user.id,
    clock: systemClock,
    ...options,
  })
}

/** Opens sockets that `close` closes after a test. */
export function createSockets() {
  const opened: LiveConnection[] = []
  return {
    /** Resolves to a connected socket. */
    open: async (person: Pick<Person, 'client' | 'user'>): Promise<LiveConnection> => {
      const live = connect(person)
      opened.push(live)
      await nextState(live, ({ connected }) => connected)
      return live
    },
    close: () => opened.forEach((live) => live.close()),
  }
}

/** Resolves to the first state that fits, which may be the current one. Rejects after `timeoutMs`. */
export function nextState(
  live: LiveConnection,
  fits: (state: LiveState) => boolean,
  timeoutMs = 30_000,
): Promise<LiveState> {
  if (fits(live.state)) return Promise.resolve(live.state)
  return firstOf(
    timeoutMs,
    () => `the socket is ${JSON.stringify(live.state)}`,
    (found) => live.subscribe({ onState: (state) => fits(state) && found(state) }),
  )
}

/** Resolves to the next event that fits. Rejects after `timeoutMs`. */
export function nextEvent(
  live: LiveConnection,
  fits: (event: ServerEvent) => boolean,
  timeoutMs = 30_000,
): Promise<ServerEvent> {
  const seen: string[] = []
  return firstOf(
    timeoutMs,
    () => `events so far: ${seen.join(', ') || 'none'}`,
    (found) =>
      live.subscribe({
        onEvent(event) {
          seen.push(event.type)
          if (fits(event)) found(event)
        },
      }),
  )
}

function firstOf<T>(
  timeoutMs: number,
  state: () => string,
  listen: (found: (value: T) => void) => () => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const stop = listen(resolve)
  const timer = setTimeout(() => {
    reject(new Error(`The expected state or event did not come within ${timeoutMs} ms; ${state()}`))
  }, timeoutMs)
  return promise.finally(() => {
    clearTimeout(timer)
    stop()
  })
}
