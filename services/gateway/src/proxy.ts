import { Agent } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RouteContract, ServiceName } from '@sumlock/contracts/route'
import { phoneProofCookie, sessionCookie } from '@sumlock/contracts/cookies'
import { toErrorBody, unavailable } from '@sumlock/service-kit/app-error'
import type { Request, Response } from 'express'
import { createProxyMiddleware, responseInterceptor } from 'http-proxy-middleware'
import type { Options } from 'http-proxy-middleware'
import { composeUser } from './composed-user.ts'
import type { Context } from './context.ts'
import type { Identity } from './domain/session-cache.ts'
import { inwardHeaders } from './inward-headers.ts'

type Backend = Exclude<ServiceName, 'gateway'>

/** What the gateway found out about a request before it passes it on. */
export interface Passage {
  route: RouteContract
  identity: Identity | null
  target: string
}

const answerWithinMs = 2000
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
  const agent = new Agent({ keepAlive: true, maxSockets: 512, maxFreeSockets: 64 })
  const passageOf = (response: Response) => response.locals['passage'] as Passage

  const options = (backend: Backend, composed: boolean): Options<Request, Response> => ({
    target: ctx.config.AUTH_URL[0] as string,
    router: (_request, response) => {
      const target = ctx.targets[backend].next()
      if (response) passageOf(response).target = target
      return target
    },
    agent,
    // guard: answer-in-time
    proxyTimeout: answerWithinMs,
    selfHandleResponse: composed,
    on: {
      proxyRes: (proxyResponse, request, response) => {
        // guard: forget-what-changed
        forgetWhatChanged(response)
        if (composed) return composer(proxyResponse, request, response)
      },
      error: (error, _request, response) => {
        if (!('locals' in response)) return
        const { code } = error as { code?: string }
        if (code === 'ECONNREFUSED') ctx.targets[backend].reportDown(passageOf(response).target)
        refuse(response, error)
      },
    },
  })

  const composer = responseInterceptor<Request, Response>(async (body, proxyResponse) => {
    if ((proxyResponse.statusCode ?? 500) >= 300) return body
    try {
      return await composeUser(ctx, body)
    } catch (error) {
      ctx.logger.error({ err: error }, 'auth answered something that is no account')
      return body
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

  function refuse(response: Response, cause: Error): void {
    ctx.logger.warn(
      { err: cause, requestId: response.locals['requestId'] as string },
      'service did not answer',
    )
    if (response.headersSent) {
      response.destroy()
      return
    }
    const error = unavailable('service', cause)
    response.status(error.status).json(toErrorBody(error, String(response.locals['requestId'])))
  }

  const backends: readonly Backend[] = ['auth', 'messaging', 'billing', 'notify']
  const plain = new Map(backends.map((backend) => [backend, createProxyMiddleware(options(backend, false))]))
  const composed = createProxyMiddleware(options('auth', true))

  return {
    async pass(request: Request, response: Response, passage: Omit<Passage, 'target'>): Promise<void> {
      response.locals['passage'] = { ...passage, target: '' } satisfies Passage
      request.headers = inwardHeaders(request.headers, {
        requestId: String(response.locals['requestId']),
        address: request.ip ?? '',
        token: passage.identity?.token,
        cookie: passage.route.service === 'auth' ? ownCookies(response) : undefined,
      })
      const proxy = passage.route.ownerAnswers ? composed : plain.get(passage.route.service as Backend)
      if (!proxy) throw new Error(`nobody answers ${passage.route.path}`)
      await proxy(request, response)
    },
    close: () => agent.destroy(),
  }
}

/** A plain pipe for sockets; who may connect is decided by realtime. */
export function createSocketPipe(ctx: Context) {
  const targetOf = new WeakMap<IncomingMessage, string>()
  const proxy = createProxyMiddleware<IncomingMessage, ServerResponse>({
    target: ctx.config.REALTIME_URL[0] as string,
    router: (request) => {
      const target = ctx.targets.realtime.next()
      targetOf.set(request, target)
      return target
    },
    ws: true,
    on: {
      error: (error, request, socket) => {
        const target = targetOf.get(request)
        if (target && (error as { code?: string }).code === 'ECONNREFUSED')
          ctx.targets.realtime.reportDown(target)
        socket.destroy()
      },
    },
  })
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
        const identity = { requestId: '', address: socket.remoteAddress ?? '', cookie }
        request.headers = inwardHeaders(request.headers, identity, { upgrade: true })
      } catch (error) {
        // Thrown out of a listener of the server, it would end the process and everybody's sockets.
        ctx.logger.error({ err: error }, 'a handshake could not be passed on')
        socket.destroy()
        return
      }
      proxy.upgrade(request, socket, head)
    },
    /** Lets go of all sockets: the server would wait for them for ever. Clients come back to another gateway. */
    close(): void {
      for (const socket of open) socket.destroy()
    },
  }
}
