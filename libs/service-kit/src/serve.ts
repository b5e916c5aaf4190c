import { createServer } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Express } from 'express'
import type { Health } from './health.ts'
import type { ServiceBase } from './service-base.ts'
import { unlessAbandoned } from './unless-abandoned.ts'
import { warmUp } from './warm-up.ts'

export interface ServedApps {
  publicApp: RequestListener
  internalApp: Express
  /** The public port closes further connections at once. No limit when absent. */
  maxConnections?: number | undefined
  /** A request to the public port has to arrive within this time, ms; 15 s when absent. */
  requestTimeoutMs?: number
  /** The headers of a request to the public port may have this many bytes; Node's 16 kB when absent. */
  maxHeaderBytes?: number
  /** Called with the public server before the ports open, to add a listener for upgrades. */
  onServer?: (server: Server) => void
  /** Closes the open sockets in waves, because they would keep the public server open. */
  drain?: (() => Promise<void>) | undefined
}

/** Requests in flight have this time to finish after the ports were closed, ms. */
export const requestGraceMs = 10_000

/**
 * A stopping service sets this header on every answer, so that the gateway sends further requests to another replica.
 */
export const drainingHeader = 'x-draining'

/** Stops a service. A second call returns the promise of the first. */
export type StopService = (signal: string) => Promise<void>

/**
 * Opens both ports. The service is ready once the openers of `onWarmUp` are done. The returned function stops it: for
 * DRAIN_DELAY_MS the service reports that it is not ready and marks every answer with `drainingHeader`; then it
 * closes sockets and ports, lets requests in flight finish (10 s at most), and closes its connections.
 */
export async function serve(
  base: Pick<ServiceBase, 'config' | 'logger' | 'health' | 'close' | 'openers'>,
  { publicApp, internalApp, maxConnections, requestTimeoutMs, maxHeaderBytes, onServer, drain }: ServedApps,
): Promise<StopService> {
  const { config, logger, health, close } = base
  void warmUp(base)
  const publicServer = createBoundedServer(publicApp, { maxConnections, requestTimeoutMs, maxHeaderBytes })
  const internalServer = createBoundedServer(internalApp)
  for (const server of [publicServer, internalServer]) announceDraining(server, health)
  onServer?.(publicServer)
  await Promise.all([
    listen(internalServer, config.INTERNAL_PORT, config.HOST),
    listen(publicServer, config.PORT, config.HOST),
  ])
  logger.info({ port: config.PORT, internalPort: config.INTERNAL_PORT }, 'service is listening')

  const stop = async (signal: string) => {
    logger.info({ signal }, 'service is stopping')
    health.draining = true
    await new Promise((resolve) => setTimeout(resolve, config.DRAIN_DELAY_MS))
    await drain?.()
    await Promise.all([closeServer(publicServer), closeServer(internalServer)])
    await close()
    logger.info('service has stopped')
  }
  let stopping: Promise<void> | undefined
  return (signal) =>
    (stopping ??= stop(signal).catch((error: unknown) => {
      logger.error({ err: error }, 'service could not stop cleanly')
      throw error
    }))
}

export interface ServerBounds {
  stalledMs?: number | undefined
  requestTimeoutMs?: number | undefined
  maxConnections?: number | undefined
  maxHeaderBytes?: number | undefined
}

/** A connection with requests or unread answers may make no progress for this time, ms. */
export const stalledConnectionMs = 30_000

/**
 * A connection that streams bytes to the client may make no progress for this time, ms. It is longer than
 * `stalledConnectionMs`, because megabytes wait in the system's buffers until a slow client has read a good part of
 * them.
 */
export const stalledStreamMs = 120_000

/**
 * Returns an HTTP server that closes a connection when the client sends too slowly or reads nothing of an answer for
 * `stalledMs`, and that refuses connections beyond `maxConnections`.
 */
export function createBoundedServer(
  app: RequestListener,
  {
    stalledMs = stalledConnectionMs,
    requestTimeoutMs = 15_000,
    maxConnections = Infinity,
    maxHeaderBytes,
  }: ServerBounds = {},
): Server {
  // By default Node checks the timeouts below only every 30 s.
  const server = createServer(
    { connectionsCheckingInterval: 1000, ...(maxHeaderBytes && { maxHeaderSize: maxHeaderBytes }) },
    unlessAbandoned(app),
  )
  // Our clients close idle connections earlier (`idleConnectionMs`), so that they never send into one that is
  // closing.
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 10_000
  server.requestTimeout = requestTimeoutMs
  server.timeout = stalledMs
  if (maxConnections < Infinity) server.maxConnections = maxConnections
  return server
}

/** Adds `drainingHeader` to every answer while the service is stopping. */
export function announceDraining(server: Server, health: Pick<Health, 'draining'>): void {
  // The listener must run before the app, because setting a header on an answer that was already sent would throw.
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (!health.draining) return
    response.setHeader('connection', 'close')
    response.setHeader(drainingHeader, 'yes')
  })
}

/**
 * Starts a service and stops it on SIGTERM or SIGINT. The process ends with code 0 after a clean stop. It ends with 1
 * when the start or the stop failed, or after `stopAfterFailure`. An error at start is logged.
 */
export function runMain(start: () => Promise<StopService>): void {
  start().then(
    (stop) => {
      const onSignal = (signal: string) => {
        stop(signal).then(
          () => process.exit(),
          () => process.exit(1),
        )
      }
      process.on('SIGTERM', onSignal)
      process.on('SIGINT', onSignal)
    },
    (error: unknown) => {
      const isKnown = error instanceof Error && error.name === 'ConfigError'
      const what = isKnown
        ? { msg: error.message }
        : {
            err: { stack: error instanceof Error ? error.stack : String(error) },
            msg: 'service could not start',
          }
      process.stderr.write(`${JSON.stringify({ level: 60, time: Date.now(), ...what })}\n`)
      process.exit(1)
    },
  )
}

/** With Node's default of 511, a burst makes the system drop other connections, which then wait for seconds. */
const backlog = 4096

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Stops accepting connections. Resolves when the last request in flight was answered, or after `requestGraceMs`. */
export async function closeServer(server: Server): Promise<void> {
  await drainAcceptBacklog(server)
  await new Promise<void>((resolve) => {
    // `setImmediate` runs right after the event loop has read from the connections. In a timer, a request that
    // arrived while the process got no CPU would still be unread, and its connection would be closed as idle.
    const afterPolling = setImmediate
    // A connection becomes idle only when its last answer was sent, so idle connections are closed repeatedly.
    const sweep = setInterval(() => afterPolling(() => server.closeIdleConnections()), 50)
    const timer = setTimeout(() => server.closeAllConnections(), requestGraceMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(timer)
      resolve()
    })
  })
}

/** The accept backlog is drained for at most this time, ms, while further connections come in. */
const backlogTimeoutMs = 5000

/**
 * Resolves when no connection waits to be accepted. Node accepts one per turn of its event loop; closing the port would
 * reset the connections that a busy process has not accepted yet, although they may have sent their request.
 */
async function drainAcceptBacklog(server: Server): Promise<void> {
  const startedAt = performance.now()
  let accepted = 0
  const count = () => (accepted += 1)
  server.on('connection', count)
  // Two turns must pass without a connection, because the first may have begun after its poll phase.
  for (let quietTurns = 0; quietTurns < 2 && performance.now() - startedAt < backlogTimeoutMs;) {
    const before = accepted
    await new Promise(setImmediate)
    quietTurns = accepted === before ? quietTurns + 1 : 0
  }
  server.off('connection', count)
}
