import { errorCatalogue } from '../error-catalogue.ts'
import { statusOfKind } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'
import type { RouteContract } from '../route.ts'

/** The codes a caller of the route can be refused with, its own and those it shares with others, by status. */
export function refusalsOf(route: RouteContract): ReadonlyMap<number, readonly ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...route.errors, ...sharedRefusals(route)])) {
    const status = statusOfKind[errorCatalogue[code].kind]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}

function sharedRefusals({ method, service, access, body }: RouteContract): ErrorCode[] {
  return [
    'bad_path',
    // Also for content where none is taken.
    'invalid_request',
    ...when(body, 'invalid_json', 'unsupported_content_type', 'body_too_large', 'request_too_slow'),
    ...when(access !== 'public', 'no_session'),
    ...when(access === 'unlocked', 'locked'),
    ...when(access === 'admin', 'not_allowed', 'step_up_required'),
    ...when(method !== 'GET', 'csrf_failed', 'origin_refused'),
    'too_many_requests',
    'internal_error',
    // The gateway answers its own routes without asking anybody.
    ...when(service !== 'gateway', 'unavailable'),
  ]
}

const when = (condition: unknown, ...codes: ErrorCode[]): ErrorCode[] => (condition ? codes : [])
