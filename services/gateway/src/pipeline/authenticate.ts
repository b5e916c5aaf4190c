import type { RouteContract } from '@sumlock/contracts/route'
import type { AppError } from '@sumlock/service-kit/app-error'
import { noSession } from '@sumlock/service-kit/app-error'
import { createSemaphore } from '@sumlock/service-kit/semaphore'
import { notUnlocked, refusalOfAdmin } from '@sumlock/service-kit/step-up'
import type { Context } from '../context.ts'
import type { GatewaySession } from '../infrastructure/session-cache.ts'
import { tooManyRequests } from './too-many-requests.ts'
import type { Stage } from './upstream-request.ts'

/** At most this many requests wait at once for auth's answer about their session. */
export const maxLookups = 1000

const needsNoSession = (route: RouteContract | undefined) =>
  route?.access === 'public' || route?.access === 'webhook'

/**
 * Exchanges the session cookie for an identity. Without a session, every request gets the same 401, even where there is no
 * route, so that the answer does not confirm the names of routes. Public routes and webhooks are excepted.
 */
export function authenticate(
  { sessions, clock, metrics }: Pick<Context, 'sessions' | 'clock' | 'metrics'>,
  permits = maxLookups,
): Stage {
  const lookups = createSemaphore({ permits })
  return async (upstream) => {
    const { knownRoute, sessionCookie, response } = upstream
    if (needsNoSession(knownRoute)) return
    if (!sessionCookie || sessionCookie.length > 256) throw noSession()
    const isEnough = (identity: GatewaySession) =>
      knownRoute === undefined ||
      (refusal(knownRoute, identity, clock.nowMs()) === null &&
        (knownRoute.access !== 'admin' || identity.isAdmin))
    const permit = lookups.tryAcquire()
    if (!permit) {
      metrics.refused('busy')
      throw tooManyRequests(response, undefined)
    }
    try {
      // `isEnough` makes the cache ask auth again, because a remembered identity may be older than an unlock through
      // another gateway or the grant of the admin role.
      const identity = await sessions.identify(sessionCookie, isEnough)
      // guard: session-required
      if (!identity) throw noSession()
      upstream.identity = identity
    } finally {
      permit.release()
    }
  }
}

/** Throws 423 or `step_up_required` for a signed-in session without the required access. The service checks the access again. */
export function checkAccess({ clock, security }: Pick<Context, 'clock' | 'security'>): Stage {
  return ({ route, identity }) => {
    if (needsNoSession(route) || !identity) return
    const refused = refusal(route, identity, clock.nowMs())
    const isNoAdmin = route.access === 'admin' && !identity.isAdmin
    if (refused || isNoAdmin) security.note(refusedAs(refused), identity.userId)
    // guard: unlock-required
    if (refused) throw refused
  }
}

const refusedAs = (refused: AppError | null) =>
  refused?.code === 'step_up_required' ? 'step-up-refused' : 'access-refused'

/**
 * Returns the refusal for a signed-in session without the required access, or null. Only the service itself refuses a
 * person who is no administrator.
 */
export function refusal({ access }: RouteContract, identity: GatewaySession, nowMs: number): AppError | null {
  const { unlockedUntilMs, passwordGivenAtMs, isAdmin } = identity
  if (access === 'unlocked' && unlockedUntilMs <= nowMs) return notUnlocked()
  if (access !== 'admin' || !isAdmin) return null
  const unlockedUntil = new Date(unlockedUntilMs)
  return refusalOfAdmin({ unlockedUntil, passwordGivenAt: new Date(passwordGivenAtMs) }, nowMs)
}
