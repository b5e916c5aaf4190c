import { authRoutes } from './auth-routes.ts'
import { billingRoutes } from './billing-routes.ts'
import { gatewayRoutes } from './gateway-routes.ts'
import { messagingRoutes } from './messaging-routes.ts'
import type { RouteContract } from './route.ts'

/** Every public route by name. For the gateway's table, the generated API page and exhaustive tests; not for the browser. */
export const allRoutes = {
  ...gatewayRoutes,
  ...authRoutes,
  ...messagingRoutes,
  ...billingRoutes,
} satisfies Record<string, RouteContract>
