import type { IncomingHttpHeaders } from 'node:http'
import { sessionCookie } from '@sumlock/contracts/cookies'
import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { requestStateOf } from '@sumlock/service-kit/request-state'
import type { Request, RequestHandler, Response } from 'express'
import { findRoute } from '../domain/route-table.ts'
import type { GatewaySession } from '../infrastructure/session-cache.ts'

/** Describes one request on its way from a browser to the service that owns its route. The stages read and complete it. */
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
  readonly address: string
  readonly cookies: Readonly<Record<string, string>>
  readonly sessionCookie: string | undefined
  /** The value is undefined when no contract names the request's path. */
  readonly knownRoute: RouteContract | undefined
  /** The stage `authenticate` sets the identity. */
  identity: GatewaySession | null = null
  /** Ends another upload or download to make room for this one. */
  makeRoom: (() => void) | undefined = undefined
  /** Ends the call to the service while it is in progress; the browser gets the refusal. */
  refuse: ((refusal: AppError) => void) | undefined = undefined
  /** The service has answered with this status. The value is undefined before the answer. */
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
    // csrf-csrf reads the cookies from the request.
    request.cookies = state.cookies
  }

  /** Returns the known route; throws 404 when there is none. */
  get route(): RouteContract {
    if (!this.knownRoute) throw new AppError('not-found', 'not_found', 'There is nothing at this address.')
    return this.knownRoute
  }

  /** Returns whether the browser has closed its connection. */
  get isAbandoned(): boolean {
    return this.response.destroyed || this.request.socket.destroyed
  }

  /** Runs `release` when the request has left the pipeline. */
  readonly defer = (release: () => void): void => void this.releases.push(release)
}

/** Reading `route` throws 404 for a request that no contract names. */
export const requireRoute: Stage = ({ route }) => void route

/** A browser may send these headers to a service. No header of identity is among them, because the gateway sets those itself. */
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

/** The gateway itself sets headers with these values. */
export interface ForwardedIdentity {
  requestId: string
  address: string
  traceparent?: string | undefined
  token?: string | undefined
  /** The service itself needs these cookies, which have the form of a Cookie header. */
  cookie?: string | undefined
}

/** Returns the headers for the service: the browser's headers that are in `keep`, and the identity. */
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
