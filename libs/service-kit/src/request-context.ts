import { AsyncLocalStorage } from 'node:async_hooks'

/** Identifies one request of a browser in all services; travels with calls, events and hints. */
export interface RequestContext {
  readonly requestId: string
  /** W3C trace context of the current span; absent unless this request is traced. */
  readonly traceparent?: string | undefined
}

const storage = new AsyncLocalStorage<RequestContext | undefined>()

/** The current request, if any. */
export const currentRequest = (): RequestContext | undefined => storage.getStore()

/** Runs work and its asynchronous continuations for a request, or for none with `undefined`. */
export const runFor = <T>(request: RequestContext | undefined, work: () => T): T => storage.run(request, work)

const [idHeader, traceHeader] = ['x-request-id', 'traceparent'] as const
const requestIdShape = /^[\w-]{8,64}$/

/** The value if it is a well-formed request id, else undefined. */
export const asRequestId = (value: unknown): string | undefined =>
  typeof value === 'string' && requestIdShape.test(value) ? value : undefined

const traceparentShape = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** The value if it is a sampled W3C `traceparent` of version 00, else undefined. */
export function asTraceparent(value: unknown): string | undefined {
  if (typeof value !== 'string' || !traceparentShape.test(value)) return undefined
  const flags = Number.parseInt(value.slice(-2), 16)
  return (flags & 1) === 1 ? value : undefined
}

/** Headers that carry the request to another service, or with an event. */
export function carryingHeaders(request = currentRequest()): Record<string, string> {
  if (!request) return {}
  const { requestId, traceparent } = request
  return { [idHeader]: requestId, ...(traceparent ? { [traceHeader]: traceparent } : {}) }
}

/** The request in the headers of a call or event from another service, if any. */
export function carriedRequest(
  headers: Readonly<Record<string, unknown>> | undefined,
): RequestContext | undefined {
  const text = (name: string) => {
    const value = headers?.[name]
    return Buffer.isBuffer(value) ? value.toString() : value
  }
  const requestId = asRequestId(text(idHeader))
  return requestId === undefined ? undefined : { requestId, traceparent: asTraceparent(text(traceHeader)) }
}
