import type { IncomingMessage } from 'node:http'
import { AppError } from '@sumlock/service-kit/app-error'
import { createInternalHttpApp } from '@sumlock/service-kit/health'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { securityHeaders } from '@sumlock/service-kit/security-headers'
import { answerInTurn } from './answer-in-turn.ts'
import { trustedHops } from './config.ts'
import type { Context } from './context.ts'
import { isCanonicalPath } from './domain/route-table.ts'
import { authenticate, checkAccess } from './pipeline/authenticate.ts'
import { bodyBounds, bufferBodies, checkBodyLength, refuseUnexpectedBody } from './pipeline/buffer-body.ts'
import { checkCsrf, createCsrfGuard, issueCsrfToken } from './pipeline/csrf.ts'
import { forward } from './pipeline/forward.ts'
import { limitStreams, streamBounds } from './pipeline/limit-streams.ts'
import { createStreamPermits } from './pipeline/stream-permits.ts'
import { requireRoute, runStages } from './pipeline/upstream-request.ts'
import type { Stage } from './pipeline/upstream-request.ts'
import { watchUnlock } from './pipeline/watch-unlock.ts'
import { bindContacts } from './contacts.ts'
import { bindPlain404, bindStaticWeb, limitUnreadFiles, sendPlain404 } from './static-web.ts'

const bodyTimeoutMs = 5000

/** Everything below `/api` runs through these stages, in this order. */
function stages(ctx: Context): readonly Stage[] {
  const csrf = createCsrfGuard(ctx.config)
  const bodies = bufferBodies({
    timeoutMs: bodyTimeoutMs,
    bounds: ctx.config.RATE_LIMITS === 'on' ? bodyBounds : undefined,
    onRefused: ctx.metrics.refused,
    onHeld: ctx.metrics.bodyBytes,
  })
  const displaced = () => ctx.metrics.streamEnded('displaced')
  const streams = createStreamPermits(streamBounds, ctx.clock, displaced)
  return [
    ctx.limits.flood,
    // This stage comes before everything that depends on the route, so that all answers without a session are alike.
    authenticate(ctx),
    checkBodyLength,
    bodies.small,
    requireRoute,
    refuseUnexpectedBody,
    ctx.limits.perAddress,
    issueCsrfToken(csrf),
    checkAccess(ctx),
    checkCsrf(csrf, ctx.security),
    ctx.limits.perCaller,
    bodies.large,
    limitStreams(streams, ctx.metrics),
    watchUnlock(ctx),
    forward(ctx),
  ]
}

/** Serves browsers: the API and the web client. */
export function createPublicApp(ctx: Context) {
  const { config } = ctx
  const edge = { trustsTraceparent: isOfOwnPage(config.PUBLIC_ORIGINS) }
  const app = createHttpApp({ ...ctx, edge })
  app.set('trust proxy', trustedHops(config))
  const headers = securityHeaders({ secure: config.COOKIE_SECURE })
  app.use((request, response, next) => {
    response.set(headers)
    if (isCanonicalPath(request.originalUrl)) next()
    else if (/^\/api\//i.test(request.originalUrl))
      throw new AppError('invalid', 'bad_path', 'The address is not valid.')
    else sendPlain404(response)
  })
  app.use('/api', runStages(stages(ctx), config))
  bindContacts(app, config)
  if (config.WEB_ROOT) {
    app.use(limitUnreadFiles(() => ctx.metrics.streamEnded('unread')))
    bindStaticWeb(app, config.WEB_ROOT)
  }
  bindPlain404(app)
  return answerInTurn(finishApp(app, { ...ctx, closesRefused: trustedHops(config) === 0 }))
}

/** Sec-Fetch-Site and Origin can be trusted here, because a forged header can only add a span to a trace. */
const isOfOwnPage =
  (origins: readonly string[]) =>
  ({ headers }: IncomingMessage): boolean =>
    headers['sec-fetch-site'] === 'same-origin' ||
    (headers.origin !== undefined && origins.includes(headers.origin))

/** Serves health checks and metrics. */
export const createInternalApp = (ctx: Context) => finishApp(createInternalHttpApp(ctx), ctx)
