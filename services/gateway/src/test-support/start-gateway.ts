import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { allRoutes } from '@sumlock/contracts/all-routes'
import { AppError } from '@sumlock/service-kit/app-error'
import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { createPublicApp } from '../app.ts'
import type { Context } from '../context.ts'
import { createSessionCache } from '../infrastructure/session-cache.ts'
import { createLocalLimiter } from '../infrastructure/shared-limiter.ts'
import { createUpstream } from '../infrastructure/upstream.ts'
import { createGatewayMetrics } from '../metrics.ts'
import { createRateLimits, noRateLimits } from '../pipeline/rate-limits.ts'

interface GatewayOptions {
  rateLimits?: 'on' | 'off'
  bodyBounds?: 'on' | 'off'
  trustedHops?: number
  /** Requests that the service takes at once. */
  permits?: number
  webRoot?: string
  /** Browsers connect to this path: its buffers have one size, while a port's buffers grow. */
  socketPath?: string
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function listenAt(server: Server, path: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return path
}

/**
 * A gateway before one service; `auth` is the state of the only session at auth. The service leaves requests to
 * `service.heldPath` unanswered.
 */
export async function startGateway({
  rateLimits = 'off',
  bodyBounds = 'off',
  trustedHops = 0,
  permits = 8,
  webRoot = '',
  socketPath,
}: GatewayOptions = {}) {
  const auth = {
    unlockedUntilMs: 0,
    isAdmin: false,
    passwordGivenAtMs: 0,
    asked: 0,
    answers: Promise.resolve(),
  }
  const clock = systemClock()
  const service = { heldPath: '', held: 0, answer: '{}' }
  const serviceServer = createServer((request, response) => {
    if (request.url === service.heldPath) service.held += 1
    else response.end(service.answer)
  })
  const target = await listen(serviceServer)
  const upstream = createUpstream([target], permits)
  const names = ['auth', 'messaging', 'billing', 'notify', 'streams']
  const exchange = async (cookie: string) => {
    auth.asked += 1
    await auth.answers
    if (cookie.startsWith('made-up')) throw new AppError('unauthenticated', 'no_session', 'x')
    const { asked: _, answers: __, ...known } = auth
    return { tokens: { messaging: 't' }, sid: 's', userId: 'u', expiresAtMs: Date.now() + 60_000, ...known }
  }
  const sessions = createSessionCache(exchange, clock, { isFollowing: () => true })
  const ctx = {
    config: {
      SUMLOCK_MODE: 'test',
      COOKIE_SECURE: false,
      RATE_LIMITS: bodyBounds,
      TRUSTED_HOPS: trustedHops,
      WEB_ROOT: webRoot,
      UPSTREAM_TIMEOUT_MS: 20_000,
      UPSTREAM_QUEUE_TIMEOUT_MS: 7000,
      UPSTREAM_RETRY_WITHIN_MS: 4000,
      CSRF_SECRET: 'x'.repeat(32),
      PUBLIC_ORIGINS: [],
      AUTH_URL: [target],
    },
    clock,
    metrics: createGatewayMetrics(),
    security: { note: () => undefined },
    sessions,
    limits:
      rateLimits === 'on'
        ? createRateLimits(Object.values(allRoutes), {
            createStrict: createLocalLimiter,
            ownerOf: sessions.ownerOf,
            nowMs: clock.nowMs,
          })
        : noRateLimits,
    logger: createLogger({ service: 'gateway', instance: 'test', level: 'silent' }),
    upstreams: Object.fromEntries(names.map((name) => [name, upstream])),
  } as unknown as Context
  const server = createServer(createPublicApp(ctx))
  const origin = socketPath === undefined ? await listen(server) : await listenAt(server, socketPath)
  const open = () => new Promise((resolve) => server.getConnections((_, number) => resolve(number)))
  const close = () => {
    upstream.agent.destroy()
    for (const each of [server, serviceServer]) each.close().closeAllConnections()
  }
  return { auth, service, origin, open, close, metrics: ctx.metrics }
}
