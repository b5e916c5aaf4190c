import * as account from './account-routes.ts'
import * as acts from './act-routes.ts'
import * as adminActions from './admin-action-routes.ts'
import * as admin from './admin-routes.ts'
import * as auth from './auth-routes.ts'
import * as billing from './billing-routes.ts'
import * as changes from './changes-routes.ts'
import * as conversationState from './conversation-state-routes.ts'
import * as dataExport from './export-routes.ts'
import { exportsOf } from './exports-of.ts'
import * as gateway from './gateway-routes.ts'
import * as identities from './identity-routes.ts'
import * as knownKeys from './known-key-routes.ts'
import * as lockRoutes from './lock-routes.ts'
import * as mailLinks from './mail-link-routes.ts'
import * as media from './media-routes.ts'
import * as messaging from './messaging-routes.ts'
import * as notification from './notification-routes.ts'
import * as s3 from './s3-routes.ts'
import * as subscription from './subscription-routes.ts'
import * as promoCodes from './promo-code-routes.ts'
import * as stores from './store-routes.ts'
import * as sessionList from './session-list-routes.ts'
import type { RouteContract } from './route.ts'

const isRoute = (value: object): value is RouteContract => 'path' in value && 'access' in value

/**
 * All public routes by name, for the gateway, the API documents and tests. The browser must not load them, because
 * they reveal the product.
 */
export const allRoutes = {
  ...exportsOf(gateway, isRoute),
  ...exportsOf(auth, isRoute),
  ...exportsOf(lockRoutes, isRoute),
  ...exportsOf(identities, isRoute),
  ...exportsOf(knownKeys, isRoute),
  ...exportsOf(account, isRoute),
  ...exportsOf(admin, isRoute),
  ...exportsOf(adminActions, isRoute),
  ...exportsOf(sessionList, isRoute),
  ...exportsOf(mailLinks, isRoute),
  ...exportsOf(messaging, isRoute),
  ...exportsOf(acts, isRoute),
  ...exportsOf(changes, isRoute),
  ...exportsOf(media, isRoute),
  ...exportsOf(s3, isRoute),
  ...exportsOf(conversationState, isRoute),
  ...exportsOf(dataExport, isRoute),
  ...exportsOf(billing, isRoute),
  ...exportsOf(subscription, isRoute),
  ...exportsOf(stores, isRoute),
  ...exportsOf(promoCodes, isRoute),
  ...exportsOf(notification, isRoute),
}

export type RouteName = keyof typeof allRoutes
