import { phoneProofCookie, sessionCookie } from '@sumlock/contracts/cookies'
import { isStream } from '@sumlock/contracts/route-body'
import { defaultDeadlineMs } from '@sumlock/contracts/route'
import type { RouteContract } from '@sumlock/contracts/route'
import { AppError, unavailable } from '@sumlock/service-kit/app-error'
import { currentRequest } from '@sumlock/service-kit/request-context'
import type { Context } from '../context.ts'
import type { Permit } from '@sumlock/service-kit/semaphore'
import { tooManyRequests } from './too-many-requests.ts'
import { createProxy } from './proxy.ts'
import type { UpstreamName } from './proxy.ts'
import { allowedHeaders, inwardHeaders } from './upstream-request.ts'
import type { Stage, UpstreamRequest } from './upstream-request.ts'

/** A longer header value is ignored. Our clients send a UUID, which has 36 characters. */
const longestPreference = 64

/**
 * Sends the request to a replica of its service, and a second time if a read broke. Resolves when the answer begins or, for
 * a stream, when it ends.
 */
export function forward(ctx: Context): Stage {
  const { config } = ctx
  const send = createProxy(ctx)

  const acquirePermit = async (
    service: UpstreamName,
    { route, response, makeRoom }: UpstreamRequest,
    preference: string | undefined,
  ): Promise<Permit> => {
    const permit = await ctx.upstreams[service].bulkhead.acquire({
      timeoutMs: config.UPSTREAM_QUEUE_TIMEOUT_MS,
      preference,
      onQueued: makeRoom,
    })
    if (permit) return permit
    ctx.metrics.refused('no-permit')
    throw tooManyRequests(response, route)
  }

  const sendWithRetry = async (upstream: UpstreamRequest, preference: string | undefined): Promise<void> => {
    const service = upstreamOf(upstream.route)
    // UPSTREAM_TIMEOUT_MS stretches all deadlines in proportion.
    const stretch = config.UPSTREAM_TIMEOUT_MS / defaultDeadlineMs
    const deadlineMs = upstream.route.deadlineMs ?? defaultDeadlineMs
    const deadlineAt = performance.now() + deadlineMs * stretch
    for (let isRetry = false; ; isRetry = true) {
      const permit = await acquirePermit(service, upstream, preference)
      const sentAt = performance.now()
      try {
        // The client may have disconnected while its request was queued.
        if (!upstream.isAbandoned) await send(service, { upstream, permit, deadlineAt })
        return
      } catch (error) {
        if (error instanceof AppError) throw error
        const brokeEarly = performance.now() - sentAt < config.UPSTREAM_RETRY_WITHIN_MS
        if (!isRetry && brokeEarly && isBrokenRead(upstream, error)) continue
        throw unavailable(permit.target, error)
      } finally {
        permit.release()
      }
    }
  }

  return async (upstream) => {
    const { request, response } = upstream
    // The response of an abandoned request emitted 'close' before this stage could listen.
    if (upstream.isAbandoned) return
    const preference = preferenceOf(upstream)
    request.headers = headersFor(upstream, config.COOKIE_SECURE)
    // The service needs the whole path, of which Express cuts off the prefix where the pipeline is mounted.
    request.url = request.originalUrl
    const abandoned = Promise.withResolvers<void>()
    response.once('close', abandoned.resolve)
    // A response queued behind others on its connection emits no 'close' when the connection breaks.
    request.socket.once('close', abandoned.resolve)
    try {
      await Promise.race([sendWithRetry(upstream, preference), abandoned.promise])
    } finally {
      response.off('close', abandoned.resolve)
      request.socket.off('close', abandoned.resolve)
    }
  }
}

/** Requests with the same header value prefer the same replica; the value decides nothing else. */
function preferenceOf({ route, request }: UpstreamRequest): string | undefined {
  const value = route.replicaHeader && request.headers[route.replicaHeader]
  return typeof value === 'string' && value.length <= longestPreference ? value : undefined
}

/** Streams have permits and connections of their own, so that slow ones never delay a text. */
function upstreamOf(route: RouteContract): UpstreamName {
  if (route.service === 'gateway' || route.service === 'realtime')
    throw new Error(`no stage answers ${route.path}`)
  return isStream(route) ? 'streams' : route.service
}

function headersFor({ id, address, request, route, identity, cookies }: UpstreamRequest, isSecure: boolean) {
  const forwarded = [sessionCookie(isSecure), phoneProofCookie(isSecure)].flatMap((name) =>
    cookies[name] ? [`${name}=${encodeURIComponent(cookies[name])}`] : [],
  )
  const identityHeaders = {
    requestId: id,
    address,
    traceparent: currentRequest()?.traceparent,
    token: identity?.tokens[route.service],
    cookie: route.service === 'auth' && route.access !== 'webhook' ? forwarded.join('; ') : undefined,
  }
  return inwardHeaders(request.headers, identityHeaders, keptHeaders(route))
}

const keptByRoute = new Map<RouteContract, ReadonlySet<string>>()

/** Returns the names of the browser's headers that the service of a route receives. */
function keptHeaders(route: RouteContract): ReadonlySet<string> {
  const known = keptByRoute.get(route)
  if (known) return known
  const own = route.signatureHeader ? [route.signatureHeader] : []
  const kept = new Set([...allowedHeaders, ...own])
  keptByRoute.set(route, kept)
  return kept
}

/** Returns whether a read may be sent again: its replica died, or closed the idle connection at that moment. */
function isBrokenRead({ request, response }: UpstreamRequest, error: unknown): boolean {
  const code = typeof error === 'object' && error && 'code' in error ? error.code : undefined
  const isRead = request.method === 'GET' && !response.headersSent && !response.destroyed
  return isRead && (code === 'ECONNRESET' || code === 'EPIPE')
}
