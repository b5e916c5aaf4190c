import { allRoutes } from '@sumlock/contracts/all-routes'
import type { RouteName } from '@sumlock/contracts/all-routes'
import type { RouteContract } from '@sumlock/contracts/route'

/** Every route. What deletes comes last: the calls before it still find the data. */
export const orderedRoutes = (Object.entries(allRoutes) as [RouteName, RouteContract][]).sort(
  ([, left], [, right]) => Number(left.method === 'DELETE') - Number(right.method === 'DELETE'),
)
