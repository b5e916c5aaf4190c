import { allRoutes } from '@sumlock/contracts/all-routes'
import type { RouteName } from '@sumlock/contracts/all-routes'
import type { RouteContract } from '@sumlock/contracts/route'

/** Returns whether a call can change a session. Only auth has sessions, and no read changes one. */
export const changesSessions = ({ service, method }: RouteContract): boolean =>
  service === 'auth' && method !== 'GET'

const rank = (route: RouteContract) => (changesSessions(route) ? 0 : route.method === 'DELETE' ? 2 : 1)

/**
 * Routes that can change sessions come first and routes that delete come last, so that the other calls still find their
 * data.
 */
export const orderedRoutes = (Object.entries(allRoutes) as [RouteName, RouteContract][]).sort(
  ([, left], [, right]) => rank(left) - rank(right),
)
