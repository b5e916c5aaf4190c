import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { clientAddress } from '@sumlock/service-kit/client-address'
import { drainingHeader, stalledConnectionMs } from '@sumlock/service-kit/serve'
import { createProxyMiddleware } from 'http-proxy-middleware'
import { trustedHops } from './config.ts'
import type { Context } from './context.ts'
import type { Upstream } from './infrastructure/upstream.ts'
import { withoutLogger } from './pipeline/proxy.ts'
import { allowedHeaders, inwardHeaders } from './pipeline/upstream-request.ts'

const handshakeHeaders: ReadonlySet<string> = new Set([
  ...allowedHeaders,
  'connection',
  'upgrade',
  'origin',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'sec-websocket-protocol',
])

/** Sockets are closed in waves, as realtime does it, so that clients do not all reconnect at once. */
const wave = { size: 200, pauseMs: 100 }

/** Realtime waits up to 1.5 s for auth, and other handshakes may be queued before this one. */
const handshakeTimeoutMs = 5000

/** Pipes WebSockets to realtime, which decides who may connect. Realtime may take `timeoutMs` for its answer. */
export function createSocketPipe(ctx: Context, { targets, agent }: Upstream, timeoutMs = handshakeTimeoutMs) {
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    ...withoutLogger,
    router: () => targets.next(),
    agent,
    ws: true,
    upgradeTimeout: timeoutMs,
    on: {
      proxyReqWs: (sent, _request, socket) => {
        // The proxy ends the connection to realtime only after an 'end' or 'error' of the client's socket, and not when
        // that socket is destroyed.
        sent.once('upgrade', (_response, upstream: Socket) => {
          if (socket.destroyed) upstream.destroy()
          else socket.once('close', () => upstream.destroySoon())
        })
        sent.once('response', ({ headers, socket }: IncomingMessage) => {
          if (headers[drainingHeader]) agent.leave(socket)
        })
      },
      error: (_error, _request, socket) => {
        socket.destroy()
      },
    },
  })
  /** Maps each client's socket to the bytes that the client had taken at the last check. */
  const open = new Map<Socket, number>()
  // While bytes wait for a client, no event shows that realtime has closed its end.
  const endStalled = () => {
    for (const [socket, takenBefore] of open) {
      const taken = socket.bytesWritten - socket.writableLength
      if (socket.writableLength > 0 && taken === takenBefore) socket.destroy()
      else open.set(socket, taken)
    }
  }
  const timer = setInterval(endStalled, stalledConnectionMs).unref()

  const forwardUpgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => {
    try {
      const { cookie } = request.headers
      const address = clientAddress(request, trustedHops(ctx.config))
      const identity = { requestId: randomUUID(), address, cookie }
      request.headers = inwardHeaders(request.headers, identity, handshakeHeaders)
    } catch (error) {
      // An error thrown by the server's listener would end the process and every open socket.
      ctx.logger.error({ err: error }, 'the gateway could not forward a WebSocket handshake')
      socket.destroy()
      return
    }
    proxy.upgrade(request, socket, head)
  }

  return {
    /** Accepts upgrades to `/ws` and cuts off every other one. */
    accept(this: void, request: IncomingMessage, socket: Socket, head: Buffer): void {
      socket.on('error', () => socket.destroy())
      const [path] = (request.url ?? '').split('?', 1)
      if (path !== '/ws/' && path !== '/ws') {
        socket.destroy()
        return
      }
      open.set(socket, 0)
      socket.once('close', () => open.delete(socket))
      // Node leaves the other half of the connection open, and a client that never closes it would keep the connection.
      socket.once('finish', () => socket.destroy())
      forwardUpgrade(request, socket, head)
    },
    /** Runs every 30 s. Closes the sockets whose clients have read nothing since the last run, although bytes wait for them. */
    endStalled,
    /** Closes all sockets, because the server waits for them when it stops. Clients reconnect to another gateway. */
    async close(this: void): Promise<void> {
      clearInterval(timer)
      const sockets = [...open.keys()]
      for (let start = 0; start < sockets.length; start += wave.size) {
        if (start > 0) await wait(wave.pauseMs)
        for (const socket of sockets.slice(start, start + wave.size)) socket.destroy()
      }
    },
  }
}
