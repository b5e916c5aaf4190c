import type { HandshakeRefusal, ServerEvent } from '@sumlock/contracts/socket'
import { connectLive } from '@sumlock/sync/live-connection'
import type { ClientSocket } from '@sumlock/sync/live-connection'
import type { LiveConnection, LiveState } from '@sumlock/sync/ports'
import { systemClock } from '@sumlock/sync/system-clock'
import { io } from 'socket.io-client'
import type { Person } from './people.ts'

export interface ConnectOptions {
  /** The claim in the handshake; the person's own id when absent. */
  userId?: string
  conversationId?: string
}

/** A real socket through the gateway, with the cookies and the Origin a browser would send. */
export function connect(
  { client, user }: Pick<Person, 'client' | 'user'>,
  options: ConnectOptions = {},
): LiveConnection {
  const extraHeaders = { origin: client.origin, cookie: client.cookieHeader }
  return connectLive({
    io: (url, socketOptions) => namingRefusals(io(url, { ...socketOptions, extraHeaders })),
    url: client.gatewayUrl,
    userId: user.id,
    clock: systemClock,
    ...options,
  })
}

const refusalOf: Readonly<Record<string, HandshakeRefusal>> = { 401: 'no_session', 403: 'origin_refused' }

interface UpgradeError extends Error {
  description?: { message?: string }
}

/** A browser cannot read the status of a refused upgrade; here it becomes the refusal it stands for. */
function named(error: UpgradeError): Error {
  const [, status = ''] = /response: (\d+)/.exec(error.description?.message ?? '') ?? []
  return status in refusalOf ? new Error(refusalOf[status]) : error
}

function namingRefusals(socket: ClientSocket): ClientSocket {
  const on = socket.on.bind(socket) as (event: string, listener: (...values: never[]) => void) => unknown
  return {
    on: (event: string, listener: (...values: never[]) => void) =>
      on(event, (...values) =>
        listener(...(event === 'connect_error' ? [named(values[0] as never) as never] : values)),
      ),
    connect: () => socket.connect(),
    disconnect: () => socket.disconnect(),
  }
}

/** Resolves with the first state that fits, also when it is the present one. Rejects after `timeoutMs` (30 s). */
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

/** Resolves with the next event that fits. Rejects after `timeoutMs` (30 s). */
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
  return new Promise((resolve, reject) => {
    const stop = listen((value) => {
      clearTimeout(timer)
      stop()
      resolve(value)
    })
    const timer = setTimeout(() => {
      stop()
      reject(new Error(`It did not come within ${timeoutMs} ms; ${state()}`))
    }, timeoutMs)
  })
}
