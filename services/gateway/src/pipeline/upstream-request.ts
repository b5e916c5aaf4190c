import type { IncomingHttpHeaders } from 'node:http'
import { sessionCookie } from '@sumlock/contracts/cookies'
import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { requestStateOf } from '@sumlock/service-kit/request-state'
import type { Request, RequestHandler, Response } from 'express'
import { findRoute } from '../domain/route-table.ts'
import type { GatewaySession } from '../infrastructure/session-cache.ts'

/** One request on its way from a browser to the service that owns its route. The stages read and complete it. */
export type UpstreamRequest = Omit<ExpressUpstreamRequest, 'releases'>

/** One step of the pipeline. It throws a refusal, answers itself (which ends the pipeline), or returns. */
export type Stage = (upstream: UpstreamRequest) => Promise<void> | void

/** Runs the stages over each request, in their order. */
export function runStages(stages: readonly Stage[], { COOKIE_SECURE }: CookieConfig): RequestHandler {
  return async (request, response) => {
    const upstream = new ExpressUpstreamRequest(request, response, sessionCookie(COOKIE_SECURE))
    try {
      for (const stage of stages) {
        await stage(upstream)
        if (response.headersSent) return
      }
    } finally {
      for (const release of upstream.releases) release()
    }
  }
}

interface CookieConfig {
  COOKIE_SECURE: boolean
}

class ExpressUpstreamRequest {
  readonly request: Request
  readonly response: Response
  readonly id: string
  /** The address of the browser. */
  readonly address: string
  readonly cookies: Readonly<Record<string, string>>
  readonly sessionCookie: string | undefined
  /** Undefined when no contract names the path. */
  readonly knownRoute: RouteContract | undefined
  /** Set once the session is authenticated. */
  identity: GatewaySession | null = null
  /** Ends another upload or download for this one. */
  makeRoom: (() => void) | undefined = undefined
  /** Ends the call to the service while it is in progress; the browser gets the refusal. */
  refuse: ((refusal: AppError) => void) | undefined = undefined
  /** The status of the service's answer, once there is one. */
  upstreamStatus: number | undefined = undefined
  readonly releases: (() => void)[] = []

  constructor(request: Request, response: Response, sessionCookieName: string) {
    const state = requestStateOf(response)
    this.request = request
    this.response = response
    this.id = state.requestId
    this.address = request.ip ?? ''
    this.cookies = state.cookies
    this.sessionCookie = state.cookies[sessionCookieName]
    this.knownRoute = findRoute(request.method, request.originalUrl)
    if (this.knownRoute) state.route = this.knownRoute.path
    // csrf-csrf reads them from here.
    request.cookies = state.cookies
  }

  /** The known route; reading it throws 404 when there is none. */
  get route(): RouteContract {
    if (!this.knownRoute) throw new AppError('not-found', 'not_found', 'There is nothing at this address.')
    return this.knownRoute
  }

  /** The browser has closed its connection. */
  get isAbandoned(): boolean {
    return this.response.destroyed || this.request.socket.destroyed
  }

  /** Runs `release` when the request has left the pipeline. */
  readonly defer = (release: () => void): void => void this.releases.push(release)
}

/** Refuses requests that no contract names. */
export const requireRoute: Stage = ({ route }) => void route

/** Headers that a browser may send to a service. Identity is never among them: the gateway sets it. */
export const allowedHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'content-length',
  'content-encoding',
  'range',
  'if-range',
  'user-agent',
  'host',
])

/** The headers that the gateway sets itself. */
export interface ForwardedIdentity {
  requestId: string
  address: string
  traceparent?: string | undefined
  token?: string | undefined
  /** Cookies that the service itself needs, as a Cookie header. */
  cookie?: string | undefined
}

/** The headers for the service: the browser's headers that are in `keep`, and the identity. */
export function inwardHeaders(
  sent: IncomingHttpHeaders,
  identity: ForwardedIdentity,
  keep = allowedHeaders,
): IncomingHttpHeaders {
  return {
    // guard: header-hygiene
    ...Object.fromEntries(Object.entries(sent).filter(([name]) => keep.has(name))),
    'x-request-id': identity.requestId,
    'x-forwarded-for': identity.address,
    ...(identity.traceparent ? { traceparent: identity.traceparent } : {}),
    ...(identity.token ? { authorization: `Bearer ${identity.token}` } : {}),
    ...(identity.cookie ? { cookie: identity.cookie } : {}),
  }
}
