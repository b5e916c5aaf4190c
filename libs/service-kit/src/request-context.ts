import { AsyncLocalStorage } from 'node:async_hooks'

/** Identifies one request of a browser in all services. It is passed on with calls, events and hints. */
export interface RequestContext {
  readonly requestId: string
  /** The value is the W3C trace context of the current span; absent unless the request is traced. */
  readonly traceparent?: string | undefined
}

const storage = new AsyncLocalStorage<RequestContext | undefined>()

/** Returns the request that the running code serves, or undefined. */
export const currentRequest = (): RequestContext | undefined => storage.getStore()

/** Runs work and its asynchronous continuations for a request, or with `undefined` for none. */
export const runFor = <T>(request: RequestContext | undefined, work: () => T): T => storage.run(request, work)

const [idHeader, traceHeader] = ['x-request-id', 'traceparent'] as const
const requestIdShape = /^[\w-]{8,64}$/

/** Returns the value if it is a well-formed request id, otherwise undefined. */
export const asRequestId = (value: unknown): string | undefined =>
  typeof value === 'string' && requestIdShape.test(value) ? value : undefined

const traceparentShape = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Returns the value if it is a W3C `traceparent` of version 00 whose trace is sampled, otherwise undefined. */
export function asTraceparent(value: unknown): string | undefined {
  if (typeof value !== 'string' || !traceparentShape.test(value)) return undefined
  const flags = Number.parseInt(value.slice(-2), 16)
  return (flags & 1) === 1 ? value : undefined
}

/** Returns the headers that pass the request on to another service, with a call or an event. */
export function carryingHeaders(request = currentRequest()): Record<string, string> {
  if (!request) return {}
  const { requestId, traceparent } = request
  return { [idHeader]: requestId, ...(traceparent ? { [traceHeader]: traceparent } : {}) }
}

/** Returns the request that the headers of a call or event from another service name, or undefined. */
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
