import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import express from 'express'
import type { ErrorRequestHandler, Express, RequestHandler } from 'express'
import { AppError, toAppError, toErrorBody } from './app-error.ts'
import type { Logger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import { parseCookies } from './parse-cookies.ts'
import { asRequestId, asTraceparent, runFor } from './request-context.ts'
import { requestStateOf, startRequestState } from './request-state.ts'
import { noTracing } from './tracing.ts'
import type { Tracing } from './tracing.ts'

export interface HttpAppOptions {
  logger: Logger
  metrics: Metrics
  tracing?: Tracing
  /**
   * Only an app that browsers reach has this: it accepts the `traceparent` of a request only if the request passes
   * the test.
   */
  edge?: { trustsTraceparent(request: IncomingMessage): boolean }
  /**
   * An answer with status 429 also closes the connection. Without a proxy in front, connections kept open by refused
   * clients would use up those of others.
   */
  closesRefused?: boolean
}

/** Returns an Express app with request ids, cookies, tracing and metrics. Add the routes, then call `finishApp`. */
export function createHttpApp(options: HttpAppOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  // The gateway is the only proxy in front of a service.
  app.set('trust proxy', 1)
  app.use(context(options))
  return app
}

/**
 * Adds the answer 404 and the error handler. Call it after the routes, because Express runs handlers in their order.
 */
export function finishApp(app: Express, { logger, closesRefused = false }: HttpAppOptions): Express {
  app.use(() => {
    throw new AppError('not-found', 'not_found', 'There is nothing at this address.')
  })
  app.use(errorHandler(logger, closesRefused))
  return app
}

function context({ logger, metrics, tracing = noTracing, edge }: HttpAppOptions): RequestHandler {
  return (request, response, next) => {
    const requestId = asRequestId(request.headers['x-request-id']) ?? randomUUID()
    const isTrusted = !edge || edge.trustsTraceparent(request)
    const parent = isTrusted ? asTraceparent(request.headers['traceparent']) : undefined
    const { method } = request
    const span = tracing.start(method, { kind: 'server', parent, isEdge: edge !== undefined })
    const traced = { requestId, traceparent: span.traceparent }
    const state = startRequestState(response, { requestId, cookies: parseCookies(request.headers.cookie) })
    response.setHeader('x-request-id', requestId)
    response.setHeader('cache-control', 'no-store')
    const stop = metrics.httpSeconds.startTimer()
    response.once('close', () => {
      const { route = 'none' } = state
      const status = response.statusCode
      const seconds = stop({ route, method, status: String(status) })
      span.end({
        name: `${method} ${route}`,
        failed: status >= 500,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
        },
      })
      if (logger.isLevelEnabled('debug'))
        logger.debug({ requestId, method, route, status, ms: Math.round(seconds * 1000) }, 'request answered')
    })
    runFor(traced, next)
  }
}

function errorHandler(logger: Logger, closesRefused: boolean): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    const error = fromExpress(thrown) ?? toAppError(thrown)
    const { requestId } = requestStateOf(response)
    if (error.kind === 'internal') logger.error({ err: error.cause, requestId }, 'request failed')
    if (error.kind === 'unavailable')
      logger.warn({ err: error.cause, requestId }, 'request failed: a dependency is unavailable')
    if (response.headersSent) {
      request.destroy()
      return
    }
    response.status(error.status)
    if (closesRefused && error.kind === 'rate-limited') response.setHeader('connection', 'close')
    if (error.retryAfterSeconds !== undefined) response.set('retry-after', String(error.retryAfterSeconds))
    if (hasArrived(request)) {
      response.json(toErrorBody(error, requestId))
      return
    }
    response.setHeader('connection', 'close')
    afterDiscarding(request, () => response.json(toErrorBody(error, requestId)))
  }
}

/**
 * Returns whether the whole body has arrived. Node sets `complete` some time after the last byte, so the length is
 * compared as well.
 */
const hasArrived = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || readableLength >= Number(headers['content-length'])

const discardTimeoutMs = 1000

/**
 * Discards the rest of a body for a second at most, then answers. Closing a socket with unread bytes would reset the
 * connection, and the answer would be lost.
 */
function afterDiscarding(request: IncomingMessage, answer: () => void): void {
  const go = () => {
    clearTimeout(timer)
    request.off('close', go)
    answer()
  }
  const timer = setTimeout(go, request.destroyed ? 0 : discardTimeoutMs)
  request.once('close', go)
  request.resume()
}

/** Express throws a URIError for a path it cannot decode. */
function fromExpress(thrown: unknown): AppError | undefined {
  if (thrown instanceof URIError) return new AppError('invalid', 'bad_path', 'The address is not valid.')
  return undefined
}
