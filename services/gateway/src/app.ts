import type { IncomingMessage } from 'node:http'
import { getCsrfToken } from '@sumlock/contracts/gateway-routes'
import { sessionCookie, sessionCookieShape } from '@sumlock/contracts/cookies'
import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { createInternalHttpApp } from '@sumlock/service-kit/health'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { securityHeaders } from '@sumlock/service-kit/security-headers'
import { isSteppedUp, stepUpRequired } from '@sumlock/service-kit/step-up'
import type { Request, Response } from 'express'
import type { Context } from './context.ts'
import { createCsrfGuard } from './csrf.ts'
import { isCanonicalPath } from './domain/canonical-path.ts'
import { findRoute, pathOf } from './domain/route-table.ts'
import type { Identity } from './domain/session-cache.ts'
import { createProxies } from './proxy.ts'
import { bindApiPage } from './api-page/bind-api-page.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { bindStaticWeb } from './static-web.ts'
import { takesContent, wholeBody } from './whole-body.ts'

/** About a second of work: a request admitted after that would be answered too late. */
const inFlightAtMost = 1000
/** For 64 kB at most. */
const bodyWithinMs = 5000

/** The public door: canonical path, route of the contracts, rate, session, CSRF, access, then the service. */
export function createPublicApp(ctx: Context) {
  const { config } = ctx
  const door = { believesTraceparent: isOfOwnPage(config.PUBLIC_ORIGINS) }
  const app = createHttpApp({ ...ctx, door })
  // The gateway is the edge here; behind an ingress its address is configured as the one trusted hop.
  app.set('trust proxy', config.TRUSTED_HOPS ?? (config.SUMLOCK_MODE === 'production' ? 1 : 0))
  const headers = securityHeaders({ secure: config.COOKIE_SECURE })
  app.use((request, response, next) => {
    response.set(headers)
    if (!isCanonicalPath(request.originalUrl))
      throw new AppError('invalid', 'bad_path', 'The address is not valid.')
    next()
  })
  app.use(
    '/api',
    wholeBody(bodyWithinMs),
    limitConcurrency(inFlightAtMost, createDoor(ctx), () => ctx.metrics.refused('busy')),
  )
  if (config.SUMLOCK_MODE === 'local') bindApiPage(app)
  if (config.WEB_ROOT) bindStaticWeb(app, config.WEB_ROOT)
  return finishApp(app, ctx)
}

/** As the browser says; whoever is no browser gains no more by a lie than a line in a trace. */
const isOfOwnPage =
  (origins: readonly string[]) =>
  ({ headers }: IncomingMessage): boolean =>
    headers['sec-fetch-site'] === 'same-origin' ||
    (headers.origin !== undefined && origins.includes(headers.origin))

function createDoor(ctx: Context) {
  const { limits } = ctx
  const csrf = createCsrfGuard(ctx.config)
  const proxies = createProxies(ctx)
  const sid = sessionCookie(ctx.config.COOKIE_SECURE)

  return async (request: Request, response: Response): Promise<void> => {
    const route = findRoute(request.method, pathOf(request.originalUrl))
    if (route) response.locals['route'] = route.path
    const cookies = response.locals['cookies'] as Record<string, string>
    ;(request as Request & { cookies: Record<string, string> }).cookies = cookies
    const session = cookies[sid]
    const address = request.ip ?? ''
    // Counted by the address until auth has vouched for the cookie: any browser can invent one.
    const owner = session === undefined ? undefined : ctx.sessions.ownerOf(session)
    const hasCookie = session !== undefined && sessionCookieShape.test(session)
    await limits.takeAny(route, { address, owner, hasCookie }, response)
    if (!route) throw new AppError('not-found', 'not_found', 'There is nothing here.')
    takesContent(route, request)
    await limits.takeByAddress(route, address, response)
    if (route === getCsrfToken) {
      response.json({ csrfToken: csrf.issue(request, response) })
      return
    }
    const identity = await identify(ctx, route, session)
    if (request.method !== 'GET') csrf.check(request)
    if (identity) await limits.takeByOwner(route, identity, response)
    // The prefix that mounting took away belongs to the path of the service, too.
    request.url = request.originalUrl
    await proxies.pass(request, response, { route, identity })
  }
}

/** Throws 401, 423 or `step_up_required` early; the service behind decides again for itself. */
async function identify(
  ctx: Context,
  route: RouteContract,
  cookie: string | undefined,
): Promise<Identity | null> {
  if (route.access === 'public') return null
  if (!cookie || cookie.length > 256) throw nobody()
  const mayPass = (identity: Identity) =>
    refusal(route, identity, ctx.clock.nowMs()) === null && (route.access !== 'admin' || identity.isAdmin)
  // What is remembered may be from before an unlock through another gateway, or from before the role was given.
  const identity = await ctx.sessions.identify(cookie, mayPass)
  // guard: nobody-at-the-door
  if (!identity) throw nobody()
  const refused = refusal(route, identity, ctx.clock.nowMs())
  // guard: locked-at-the-door
  if (refused) throw refused
  return identity
}

/** What a signed-in session lacks. Whether it is an administrator's is for the service to say. */
function refusal({ access }: RouteContract, identity: Identity, nowMs: number): AppError | null {
  const { unlockedUntilMs, signedInAtMs, isAdmin } = identity
  if (access === 'unlocked' && unlockedUntilMs <= nowMs)
    return new AppError('locked', 'locked', 'Please unlock first.')
  const since = { unlockedUntil: new Date(unlockedUntilMs), signedInAt: new Date(signedInAtMs) }
  if (access === 'admin' && isAdmin && !isSteppedUp(since, nowMs)) return stepUpRequired()
  return null
}

const nobody = () => new AppError('unauthenticated', 'no_session', 'Please sign in.')

/** Health and metrics. */
export const createInternalApp = (ctx: Context) => finishApp(createInternalHttpApp(ctx), ctx)
