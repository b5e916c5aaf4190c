import type { RouteContract } from '@sumlock/contracts/route'
import { AppError, noSession } from '@sumlock/service-kit/app-error'
import { isSteppedUp, stepUpRequired } from '@sumlock/service-kit/step-up'
import type { Context } from '../context.ts'
import type { Identity } from '../infrastructure/session-cache.ts'
import type { Stage } from './upstream-request.ts'

/** Exchanges the session cookie for an identity. Throws 401, 423 or `step_up_required`; the service decides again. */
export function authenticate({ sessions, clock }: Context): Stage {
  return async (upstream) => {
    const { route, sessionCookie } = upstream
    if (route.access === 'public' || route.access === 'webhook') return
    if (!sessionCookie || sessionCookie.length > 256) throw noSession()
    const isEnough = (identity: Identity) =>
      refusal(route, identity, clock.nowMs()) === null && (route.access !== 'admin' || identity.isAdmin)
    // A remembered identity may be older than an unlock through another gateway or the grant of the role.
    const identity = await sessions.identify(sessionCookie, isEnough)
    // guard: session-required
    if (!identity) throw noSession()
    const refused = refusal(route, identity, clock.nowMs())
    // guard: unlock-required
    if (refused) throw refused
    upstream.identity = identity
  }
}

/** The refusal for a signed-in session without the required access. The service itself checks for administrators. */
function refusal({ access }: RouteContract, identity: Identity, nowMs: number): AppError | null {
  const { unlockedUntilMs, signedInAtMs, isAdmin } = identity
  if (access === 'unlocked' && unlockedUntilMs <= nowMs)
    return new AppError('locked', 'locked', 'Please unlock first.')
  const since = { unlockedUntil: new Date(unlockedUntilMs), signedInAt: new Date(signedInAtMs) }
  if (access === 'admin' && isAdmin && !isSteppedUp(since, nowMs)) return stepUpRequired()
  return null
}
