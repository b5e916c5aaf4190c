import { EventEmitter } from 'node:events'
import { allRoutes } from '@sumlock/contracts/all-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import { AppError } from '@sumlock/service-kit/app-error'
import { createLocalLimiter } from '../infrastructure/shared-limiter.ts'
import type { CreateLimiter } from '../infrastructure/shared-limiter.ts'
import { createRateLimits } from '../pipeline/rate-limits.ts'
import type { LimitedRequest, RateLimits } from '../pipeline/rate-limits.ts'

/** Session cookies that auth has confirmed, as `userId sid`. */
const ownerOf = (cookie: string) => {
  const [userId = '', sid] = cookie.split(' ')
  return sid === undefined ? undefined : { userId, sid }
}
export const limitsOf = (
  onRefused?: (reason: string) => void,
  createStrict: CreateLimiter = createLocalLimiter,
) =>
  createRateLimits(Object.values(allRoutes), {
    createStrict,
    ownerOf,
    nowMs: () => Date.now(),
    ...(onRefused && { onRefused }),
  })

interface Asking {
  route?: RouteContract | undefined
  address?: string
  userId?: string
  sid?: string
  /** A session cookie that auth has not confirmed. */
  cookie?: string
  /** The service's answer to an admitted request; null if the client disconnects before. */
  status?: number | null
}

/** Sends one request; resolves with the refusal, if any. */
export async function ask(limits: RateLimits, asking: Asking = {}) {
  const { address = '192.0.2.1', userId, sid = 's', cookie, status = 200 } = asking
  const route = 'route' in asking ? asking.route : listConversations
  const response = new EventEmitter()
  const request = {
    knownRoute: route,
    route,
    address,
    sessionCookie: userId === undefined ? cookie : `${userId} ${sid}`,
    identity: userId === undefined ? null : { userId, sid },
    upstreamStatus: undefined,
    response,
  } as unknown as LimitedRequest
  try {
    await limits.flood(request)
    if (route) await limits.perAddress(request)
    if (route) await limits.perCaller(request)
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal
    return { refusal }
  }
  if (status !== null) Object.assign(request, { upstreamStatus: status })
  response.emit('close')
  // A refunded point is available before the next request.
  await new Promise(setImmediate)
  return { refusal: undefined }
}

/** Sends requests until one is refused, `atMost` times; returns how many were admitted. */
export async function askMany(limits: RateLimits, atMost: number, asking?: Asking) {
  let last: Awaited<ReturnType<typeof ask>> = { refusal: undefined }
  let through = 0
  while (through < atMost && !last.refusal) {
    last = await ask(limits, asking)
    if (!last.refusal) through += 1
  }
  return { ...last, through }
}
