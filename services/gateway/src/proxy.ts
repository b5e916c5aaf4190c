import { randomUUID } from 'node:crypto'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { RouteContract, ServiceName } from '@sumlock/contracts/route'
import { phoneProofCookie, sessionCookie } from '@sumlock/contracts/cookies'
import { AppError, toErrorBody, unavailable } from '@sumlock/service-kit/app-error'
import { clientAddress } from '@sumlock/service-kit/client-address'
import { currentRequest } from '@sumlock/service-kit/request-context'
import { drainingHeader } from '@sumlock/service-kit/serve'
import type { Request, Response } from 'express'
import { createProxyMiddleware, responseInterceptor } from 'http-proxy-middleware'
import type { Options } from 'http-proxy-middleware'
import { composeUser } from './composed-user.ts'
import { tooManyRequests } from './limit-concurrency.ts'
import type { Context } from './context.ts'
import { createAnswerStreams } from './domain/answer-streams.ts'
import type { Place } from './domain/places.ts'
import type { Identity } from './domain/session-cache.ts'
import { inwardHeaders } from './inward-headers.ts'
import { serviceStatus } from './rate-limits.ts'

type BackendName = Exclude<ServiceName, 'gateway'>

/** What the gateway found out about a request before it passes it on. */
export interface Passage {
  route: RouteContract
  identity: Identity | null
}

interface PassageUnderWay extends Passage {
  startedAt: number
  /** The person, or the address of an unknown one. */
  owner: string
  toService?: ClientRequest
  /** The answer has begun, or will never come. */
  answered: () => void
  isSecondTry: boolean
  place?: Place
  /** When it was given the place. */
  sentAt?: number
}

/** Answers that wait for slow readers: each can be some megabytes in the memory of its service. */
const unreadAnswers = { perOwner: 16, total: 128 }
const changesSession = new Set([
  '/api/lock',
  '/api/logout',
  '/api/login',
  '/api/register',
  '/api/verify-numeric-password',
])

/** Hands a request to the service that owns its route. */
export function createProxies(ctx: Context) {
  const secure = ctx.config.COOKIE_SECURE
  const [sid, phone] = [sessionCookie(secure), phoneProofCookie(secure)]
  const streams = createAnswerStreams(unreadAnswers)
  const passageOf = (response: Response) => response.locals['passage'] as PassageUnderWay

  const options = (backend: BackendName, composed: boolean): Options<Request, Response> => ({
    target: ctx.config.AUTH_URL[0] as string,
    router: (_request, response) => (passageOf(response as Response).place as Place).target,
    agent: ctx.backends[backend].agent,
    selfHandleResponse: composed,
    on: {
      proxyReq: (toService, _request, response) => {
        const waitedMs = performance.now() - passageOf(response).startedAt
        const leftMs = ctx.config.UPSTREAM_TIMEOUT_MS - waitedMs
        const { place } = passageOf(response)
        passageOf(response).toService = toService
        toService.once('close', () => place?.leave())
        // Nothing of it was sent yet.
        if (leftMs < 1) toService.destroy(new Error('no time was left after waiting'))
        else toService.setTimeout(leftMs, () => toService.destroy())
      },
      proxyRes: (proxyResponse, request, response) => {
        response.locals[serviceStatus] = proxyResponse.statusCode
        // guard: forget-what-changed
        forgetWhatChanged(response)
        // The service has done its work; the answer may still be completed here, or wait for a slow reader.
        passageOf(response).place?.leave()
        if (proxyResponse.headers[drainingHeader]) {
          ctx.backends[backend].agent.leave(proxyResponse.socket)
          // It concerns the connection behind, not the one to the browser.
          for (const name of [drainingHeader, 'connection']) delete proxyResponse.headers[name]
        }
        if (composed) return composer(proxyResponse, request, response)
        // From here on it is up to the reader, whose connection is closed when it stands still.
        passageOf(response).toService?.setTimeout(0)
        passageOf(response).answered()
        proxyResponse.once('close', streams.add(passageOf(response).owner, response))
      },
      error: (error, request, response, target) => {
        if (!('locals' in response)) return
        if (mayTryAgain(request, response, error)) {
          passageOf(response).isSecondTry = true
          passOn(request, response).catch((again: Error) => refuse(response, again, target))
        } else refuse(response, error, target)
      },
    },
  })

  const composer = responseInterceptor<Request, Response>(async (body, proxyResponse, _request, response) => {
    const { answered } = passageOf(response)
    try {
      return (proxyResponse.statusCode ?? 500) >= 300 ? body : await composeUser(ctx, body)
    } catch (error) {
      ctx.logger.error({ err: error }, 'auth answered something that is no account')
      return body
    } finally {
      answered()
    }
  })

  function ownCookies(response: Response): string | undefined {
    const cookies = response.locals['cookies'] as Record<string, string>
    const own = [sid, phone].flatMap((name) =>
      cookies[name] ? [`${name}=${encodeURIComponent(cookies[name])}`] : [],
    )
    return own.length > 0 ? own.join('; ') : undefined
  }

  /** Before the answer is on its way, so that the very next request already finds the new state. */
  function forgetWhatChanged(response: Response): void {
    const { route, identity } = passageOf(response)
    const cookie = (response.locals['cookies'] as Record<string, string>)[sid]
    if (!changesSession.has(route.path)) return
    if (identity) ctx.sessions.forgetSession(identity.sid)
    if (cookie) ctx.sessions.forgetCookie(cookie)
  }

  /** A read whose connection broke without a word: the replica died, or was closing the connection at that moment. */
  function mayTryAgain(request: Request, response: Response, error: Error): boolean {
    const { isSecondTry, sentAt = 0 } = passageOf(response)
    const isBroken = ['ECONNRESET', 'EPIPE'].includes(String((error as { code?: unknown }).code))
    const isRead = request.method === 'GET' && !response.headersSent && !response.destroyed
    return (
      isBroken &&
      isRead &&
      !isSecondTry &&
      // Not counting what it waited for a place.
      performance.now() - sentAt < ctx.config.UPSTREAM_RETRY_WITHIN_MS
    )
  }

  function refuse(response: Response, cause: Error, target: unknown): void {
    const fields = { err: cause, requestId: response.locals['requestId'] as string, target: String(target) }
    ctx.logger.warn(fields, 'service did not answer')
    if (response.headersSent) {
      response.destroy()
      return
    }
    const error = cause instanceof AppError ? cause : unavailable('service', cause)
    response.status(error.status).json(toErrorBody(error, String(response.locals['requestId'])))
    const { answered } = passageOf(response)
    answered()
  }

  const backends: readonly BackendName[] = ['auth', 'messaging', 'billing', 'notify']
  const plain = new Map(backends.map((backend) => [backend, createProxyMiddleware(options(backend, false))]))
  const composed = createProxyMiddleware(options('auth', true))
  const proxyOf = (route: RouteContract) =>
    route.ownerAnswers ? composed : plain.get(route.service as BackendName)

  /** Waits in line until the service has a place, and keeps it as long as the request is under way. */
  async function passOn(request: Request, response: Response): Promise<void> {
    const passage = passageOf(response)
    const proxy = proxyOf(passage.route)
    if (!proxy) throw new Error(`nobody answers ${passage.route.path}`)
    const { places } = ctx.backends[passage.route.service as BackendName]
    const place = await places.take(ctx.config.UPSTREAM_QUEUE_TIMEOUT_MS)
    if (!place) {
      ctx.metrics.refused('no-place')
      throw tooManyRequests(response, passage.route)
    }
    // Who went away while waiting is not there to give it back.
    if (isGone(request, response)) {
      place.leave()
      passage.answered()
      return
    }
    Object.assign(passage, { place, sentAt: performance.now() })
    response.once('close', place.leave)
    await proxy(request, response)
  }

  return {
    /** Resolves when the answer begins, or when its client is gone. */
    async pass(request: Request, response: Response, passage: Passage): Promise<void> {
      // Its 'close' was emitted before anyone here listened, and would be waited for without end.
      if (isGone(request, response)) return
      const startedAt = performance.now()
      const owner = passage.identity?.userId ?? request.ip ?? ''
      const answer = Promise.withResolvers<void>()
      response.once('close', answer.resolve)
      // An answer that stands behind others on its connection hears nothing when that breaks.
      request.socket.once('close', answer.resolve)
      response.locals['passage'] = {
        ...passage,
        startedAt,
        owner,
        isSecondTry: false,
        answered: answer.resolve,
      } satisfies PassageUnderWay
      request.headers = inwardHeaders(request.headers, {
        requestId: String(response.locals['requestId']),
        address: request.ip ?? '',
        traceparent: currentRequest()?.traceparent,
        token: passage.identity?.token,
        cookie: passage.route.service === 'auth' ? ownCookies(response) : undefined,
      })
      passOn(request, response).catch(answer.reject)
      try {
        await answer.promise
      } finally {
        request.socket.off('close', answer.resolve)
      }
    },
  }
}

const isGone = (request: Request, response: Response) => response.destroyed || request.socket.destroyed

/** As realtime closes them: not everybody comes back in the same instant. */
const wave = { size: 200, pauseMs: 100 }

const chunkBySize = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/** A plain pipe for sockets; who may connect is decided by realtime. */
export function createSocketPipe(ctx: Context) {
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: ctx.config.REALTIME_URL[0] as string,
    router: () => ctx.backends.realtime.targets.next(),
    agent: ctx.backends.realtime.agent,
    ws: true,
    on: {
      proxyReqWs: (toRealtime) => {
        toRealtime.once('response', ({ headers, socket }: IncomingMessage) => {
          if (headers[drainingHeader]) ctx.backends.realtime.agent.leave(socket)
        })
      },
      error: (_error, _request, socket) => {
        socket.destroy()
      },
    },
  })
  const trustedHops = ctx.config.TRUSTED_HOPS ?? (ctx.config.SUMLOCK_MODE === 'production' ? 1 : 0)
  const open = new Set<Socket>()
  return {
    /** Takes an upgrade to `/ws`; every other one is cut off. */
    take(this: void, request: IncomingMessage, socket: Socket, head: Buffer): void {
      socket.on('error', () => socket.destroy())
      const [path] = (request.url ?? '').split('?', 1)
      if (path !== '/ws/' && path !== '/ws') {
        socket.destroy()
        return
      }
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      try {
        const { cookie } = request.headers
        const address = clientAddress(request, trustedHops)
        const identity = { requestId: randomUUID(), address, cookie }
        request.headers = inwardHeaders(request.headers, identity, { upgrade: true })
      } catch (error) {
        // Thrown out of a listener of the server, it would end the process and everybody's sockets.
        ctx.logger.error({ err: error }, 'a handshake could not be passed on')
        socket.destroy()
        return
      }
      proxy.upgrade(request, socket, head)
    },
    /** Closes all sockets, in waves: the server would wait for them for ever. Clients come back to another gateway. */
    async close(): Promise<void> {
      for (const sockets of chunkBySize([...open], wave.size)) {
        for (const socket of sockets) socket.destroy()
        if (sockets.length === wave.size) await wait(wave.pauseMs)
      }
    },
  }
}
