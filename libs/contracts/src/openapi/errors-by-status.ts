import { errorCatalogue, statusOfKind } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'
import { bodyKindOf } from '../route-body.ts'
import type { RouteContract } from '../route.ts'

/** Returns the error codes that a route can answer with, its own and the shared ones, by HTTP status. */
export function errorsByStatus(route: RouteContract): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = [...new Set([...route.errors, ...sharedErrors(route)])]
  const byStatus = Map.groupBy(codes, (code) => statusOfKind[errorCatalogue[code].kind])
  return new Map<number, readonly ErrorCode[]>([...byStatus].sort(([a], [b]) => a - b))
}

function sharedErrors(route: RouteContract): ErrorCode[] {
  const { method, service, access, body, isSignedAddress } = route
  const isWebhook = access === 'webhook'
  return [
    'bad_path',
    // A route that takes no body gives this answer to a request with a body.
    'invalid_request',
    ...when(bodyKindOf(route) === 'json', 'invalid_json', 'unsupported_content_type'),
    ...when(body, 'body_too_large', 'request_too_slow'),
    ...when(access !== 'public' && !isWebhook, 'no_session'),
    ...when(access === 'unlocked' || access === 'step-up' || access === 'admin', 'locked'),
    ...when(access === 'admin', 'not_allowed', 'step_up_required'),
    ...when(method !== 'GET' && !isWebhook && !isSignedAddress, 'csrf_failed'),
    ...when(method !== 'GET' && !isWebhook, 'origin_refused'),
    'too_many_requests',
    'internal_error',
    // Routes that the gateway answers itself need no other service.
    ...when(service !== 'gateway', 'unavailable'),
  ]
}

const when = (condition: unknown, ...codes: ErrorCode[]): ErrorCode[] => (condition ? codes : [])
