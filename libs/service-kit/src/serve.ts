import { createServer } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Express } from 'express'
import type { Health } from './health.ts'
import type { ServiceBase } from './service-base.ts'

export interface ServedApps {
  publicApp: Express
  internalApp: Express
  /** How many connections the public port keeps open; more are closed at once. No limit when absent. */
  maxConnections?: number | undefined
  /** Called with the public server before the ports open (upgrades, sockets). */
  onServer?: (server: Server) => void
  /** Closes what would keep the public server open (sockets), in waves. */
  drain?: () => Promise<void>
}

/** How long requests under way may take after the door was closed; ms. */
export const requestGraceMs = 10_000

/** On every answer of a service that is stopping, so that whoever stands before its replicas turns to another. */
export const drainingHeader = 'x-draining'

/**
 * Opens both ports and runs until SIGTERM or SIGINT. Then: not ready, say so with every answer for DRAIN_DELAY_MS,
 * close sockets, stop accepting, let requests in flight finish (10 s at most), close the rest, exit 0.
 */
export async function serve(
  { config, logger, health, close }: Pick<ServiceBase, 'config' | 'logger' | 'health' | 'close'>,
  { publicApp, internalApp, maxConnections, onServer, drain }: ServedApps,
): Promise<void> {
  const publicServer = createBoundedServer(publicApp, { maxConnections })
  const internalServer = createBoundedServer(internalApp)
  for (const server of [publicServer, internalServer]) sayWhenDraining(server, health)
  onServer?.(publicServer)
  await Promise.all([
    listen(internalServer, config.INTERNAL_PORT, config.HOST),
    listen(publicServer, config.PORT, config.HOST),
  ])
  logger.info({ port: config.PORT, internalPort: config.INTERNAL_PORT }, 'listening')

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    health.draining = true
    await new Promise((resolve) => setTimeout(resolve, config.DRAIN_DELAY_MS))
    await drain?.()
    await Promise.all([closeServer(publicServer), closeServer(internalServer)])
    await close()
    logger.info('stopped')
    process.exit(0)
  }
  const onSignal = (signal: string) => {
    stop(signal).catch((error: unknown) => {
      logger.error({ err: error }, 'could not stop in order')
      process.exit(1)
    })
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

export interface ServerBounds {
  stalledMs?: number | undefined
  maxConnections?: number | undefined
}

/** How long a connection may stand still while it has requests or unread answers; ms. */
export const stalledConnectionMs = 30_000

/**
 * An HTTP server that closes a connection whose client sends too slowly, or takes nothing of an answer for `stalledMs`, and
 * at once those that come while `maxConnections` are open.
 */
export function createBoundedServer(
  app: RequestListener,
  { stalledMs = stalledConnectionMs, maxConnections = Infinity }: ServerBounds = {},
): Server {
  // By default node looks for those who are beyond the timeouts below only every half minute.
  const server = createServer({ connectionsCheckingInterval: 1000 }, app)
  // Longer than any agent in front keeps an idle connection, so that nobody sends into a closing one.
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 10_000
  server.requestTimeout = 15_000
  server.timeout = stalledMs
  if (maxConnections < Infinity) server.maxConnections = maxConnections
  return server
}

/** From the moment a service stops, every answer says so. */
export function sayWhenDraining(server: Server, health: Pick<Health, 'draining'>): void {
  // Before the app: what it answers at once takes no header any more, and the attempt would end the process.
  server.prependListener('request', (_request, response: ServerResponse) => {
    if (!health.draining) return
    response.setHeader('connection', 'close')
    response.setHeader(drainingHeader, 'yes')
  })
}

/** Runs a service's main function; a fault at start is one line in the log and exit code 1. */
export function runMain(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const known = error instanceof Error && error.name === 'ConfigError'
    process.stderr.write(
      `${known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
    process.exit(1)
  })
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Stops accepting and resolves when the last request under way is answered, or had its time. */
export async function closeServer(server: Server): Promise<void> {
  await untilNobodyKnocks(server)
  await new Promise<void>((resolve) => {
    // Right after a look at all sockets, never out of a timer: a request that came while this process had no processor
    // is not read then yet, and its connection would be closed as an idle one.
    const afterReading = setImmediate
    // Connections whose last answer was under way when all idle ones were closed become idle later.
    const sweep = setInterval(() => afterReading(() => server.closeIdleConnections()), 50)
    const timer = setTimeout(() => server.closeAllConnections(), requestGraceMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(timer)
      resolve()
    })
  })
}

/** How long those who come one after the other are let in after all; ms. */
const knockingAtMostMs = 5000

/**
 * Resolves right after a look at all sockets that found no connection waiting to be accepted. Node takes in one in each turn
 * of its loop; those that a busy process left waiting, maybe with their request sent, would be reset when the door is shut.
 */
async function untilNobodyKnocks(server: Server): Promise<void> {
  const startedAt = performance.now()
  let letIn = 0
  const count = () => (letIn += 1)
  server.on('connection', count)
  // The first turn may be over already when it is waited for.
  for (let quietTurns = 0; quietTurns < 2 && performance.now() - startedAt < knockingAtMostMs;) {
    const before = letIn
    await new Promise(setImmediate)
    quietTurns = letIn === before ? quietTurns + 1 : 0
  }
  server.off('connection', count)
}
