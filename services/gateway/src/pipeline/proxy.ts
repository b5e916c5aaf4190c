import type { ClientRequest, IncomingMessage } from 'node:http'
import { listUsers } from '@sumlock/contracts/admin-routes'
import { login, logout, register } from '@sumlock/contracts/auth-routes'
import { lock, verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { resetPassword } from '@sumlock/contracts/mail-link-routes'
import { stalledTransferMs } from '@sumlock/contracts/media-routes'
import { isStream } from '@sumlock/contracts/route-body'
import type { RouteContract } from '@sumlock/contracts/route'
import { unavailable } from '@sumlock/service-kit/app-error'
import { createLru } from '@sumlock/service-kit/lru'
import { drainingHeader } from '@sumlock/service-kit/serve'
import type { Request, Response } from 'express'
import {
  createProxyMiddleware,
  debugProxyErrorsPlugin,
  proxyEventsPlugin,
  responseInterceptor,
} from 'http-proxy-middleware'
import type { Options } from 'http-proxy-middleware'
import type { Context } from '../context.ts'
import type { Permit } from '@sumlock/service-kit/semaphore'
import { createUnreadAnswers } from '../infrastructure/unread-answers.ts'
import { composeUser } from './compose-user.ts'
import { composeUsers } from './compose-users.ts'
import type { UpstreamRequest } from './upstream-request.ts'

/** An attempt sends the request to one replica. */
interface Attempt {
  readonly upstream: UpstreamRequest
  readonly permit: Permit
  /** The answer must have begun by this time of `performance.now()`. */
  readonly deadlineAt: number
}

interface RunningAttempt extends Attempt, PromiseWithResolvers<void> {
  sent?: ClientRequest
}

/**
 * Leaves out the default plugin for logs, which composes a line per answer even without a log, and the one that answers
 * errors. Options with these plugins need an `on.error` of their own.
 */
export const withoutLogger = {
  ejectPlugins: true,
  plugins: [debugProxyErrorsPlugin, proxyEventsPlugin] as never[],
}

/** The request carries the attempt to the hooks below. */
type ForwardedRequest = Request & { attempt: RunningAttempt }
export type UpstreamName = keyof Context['upstreams']

/** An unread answer can take some megabytes in the memory of its service, so only this many may wait. */
export const unreadAnswerBounds = { perOwner: 16, total: 256 }
const sessionChanges: ReadonlySet<RouteContract> = new Set<RouteContract>([
  lock,
  login,
  logout,
  register,
  resetPassword,
  verifyNumericPassword,
])

/**
 * Binds http-proxy-middleware to the upstreams. The returned function sends one attempt. It resolves when the answer has
 * begun (for a stream: ended) or the client is gone, and rejects when the replica did not answer.
 */
export function createProxy(ctx: Context): (service: UpstreamName, attempt: Attempt) => Promise<void> {
  const unreadAnswers = createUnreadAnswers(unreadAnswerBounds, () => ctx.metrics.streamEnded('unread'))
  const compose = createComposer(ctx)
  const targetOf = createTargetParser()

  const optionsFor = (service: UpstreamName): Options<ForwardedRequest, Response> => ({
    ...withoutLogger,
    router: ({ attempt }) => targetOf(attempt.permit.target),
    agent: ctx.upstreams[service].agent,
    on: {
      proxyReq: (sent, { attempt }) => start(sent, attempt),
      proxyRes: (answer, { attempt }, response) => {
        acceptAnswer(ctx, service, answer, attempt)
        // From here on the client sets the pace; the server disconnects a client that stops reading.
        attempt.sent?.setTimeout(0)
        if (isStream(attempt.upstream.route)) {
          response.socket?.setTimeout(stalledTransferMs)
          response.once('close', attempt.resolve)
          return
        }
        response.once('close', unreadAnswers.add(ownerOf(attempt.upstream), response))
        attempt.resolve()
      },
      error: (error, { attempt }) => attempt.reject(error),
      // The client broke the connection.
      econnreset: (_error, { attempt }) => attempt.resolve(),
    },
  })
  const composedOptions = optionsFor('auth')
  const composed = createProxyMiddleware<ForwardedRequest, Response>({
    ...composedOptions,
    selfHandleResponse: true,
    on: {
      ...composedOptions.on,
      proxyRes: (answer, request, response) => {
        acceptAnswer(ctx, 'auth', answer, request.attempt)
        return compose(answer, request, response)
      },
    },
  })
  const plain = {
    auth: createProxyMiddleware(optionsFor('auth')),
    messaging: createProxyMiddleware(optionsFor('messaging')),
    billing: createProxyMiddleware(optionsFor('billing')),
    notify: createProxyMiddleware(optionsFor('notify')),
    streams: createProxyMiddleware(optionsFor('streams')),
  }

  return (service, attempt) => {
    const running: RunningAttempt = { ...attempt, ...Promise.withResolvers<void>() }
    const { request, response, route } = attempt.upstream
    attempt.upstream.refuse = (refusal) => running.sent?.destroy(refusal)
    const proxy = route.upstreamResponse ? composed : plain[service]
    proxy(Object.assign(request, { attempt: running }), response, running.reject).catch(running.reject)
    return running.promise
  }
}

/** The returned function parses the address of each replica once and not for every request. */
function createTargetParser(): (url: string) => URL {
  const targets = createLru<string, URL>(1000)
  return (url) => {
    const known = targets.get(url)
    if (known) return known
    const target = new URL(url)
    targets.set(url, target)
    return target
  }
}

/**
 * Ends an attempt whose answer has not begun by the deadline, which includes the time in the queue. While a body is
 * streamed, only a connection on which nothing flows is ended.
 */
function start(sent: ClientRequest, attempt: RunningAttempt): void {
  attempt.sent = sent
  sent.once('close', attempt.resolve)
  const leftMs = attempt.deadlineAt - performance.now()
  // The service gets nothing of a request that timed out in the queue.
  if (leftMs < 1) sent.destroy(new Error('the request timed out in the queue'))
  else sent.setTimeout(leftMs, () => sent.destroy())
}

/** Runs before the browser gets any of the answer, so that the browser's next request finds the changed session. */
function acceptAnswer(
  { sessions, upstreams }: Context,
  service: UpstreamName,
  answer: IncomingMessage,
  { upstream, permit }: Attempt,
): void {
  upstream.upstreamStatus = answer.statusCode
  // guard: forget-what-changed
  if (sessionChanges.has(upstream.route)) {
    if (upstream.identity) sessions.forgetSession(upstream.identity.sid)
    if (upstream.sessionCookie) sessions.forgetCookie(upstream.sessionCookie)
  }
  // The service has done its work, however long the gateway or a slow client takes with the answer. A stream keeps its permit.
  if (!isStream(upstream.route)) permit.release()
  if (answer.headers[drainingHeader]) {
    upstreams[service].agent.leave(answer.socket)
    // Both headers concern the connection to the service, not the browser's.
    delete answer.headers[drainingHeader]
    delete answer.headers.connection
  }
}

/** Completes the answer of auth before it goes to the browser. Answers 503 when a part that cannot be left out is missing. */
const createComposer = (ctx: Context) =>
  responseInterceptor<ForwardedRequest, Response>(async (body, answer, { attempt }, response) => {
    const { id: requestId, route, identity } = attempt.upstream
    try {
      if ((answer.statusCode ?? 500) >= 300) return body
      return await (route === listUsers
        ? composeUsers(ctx, body, identity?.userId ?? '')
        : composeUser(ctx, body))
    } catch (error) {
      ctx.logger.error({ err: error, requestId }, 'an answer of auth could not be completed')
      // A missing part must not fail a sign-in.
      if (route !== listUsers) return body
      const { status, code, message } = unavailable('a service', error)
      response.statusCode = status
      return JSON.stringify({ error: message, code, requestId })
    } finally {
      attempt.resolve()
    }
  })

const ownerOf = ({ identity, address }: UpstreamRequest): string => identity?.userId ?? address
