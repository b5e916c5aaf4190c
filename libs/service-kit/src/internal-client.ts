import type { InternalRouteContract, RouteInput, ServiceName } from '@sumlock/contracts/route'
import { errorBody, errorCatalogue } from '@sumlock/contracts/errors'
import type { z } from 'zod'
import { AppError, unavailable } from './app-error.ts'
import type { AppErrorArguments } from './app-error.ts'
import { createHttpExchange } from './http-exchange.ts'
import type { HttpExchange, HttpRequest } from './http-exchange.ts'
import { internalCredential } from './internal-auth.ts'
import { carryingHeaders, currentRequest } from './request-context.ts'
import { noTracing } from './tracing.ts'
import type { Tracing } from './tracing.ts'

export interface InternalClientOptions {
  caller: ServiceName
  secret: string
  /**
   * A call that cannot reach one of these replicas tries the next. One address may stand for many replicas (a
   * Kubernetes Service), so a single address is also tried again when the connection breaks without an answer.
   */
  baseUrls: readonly string[]
  /** Limits the call with all its attempts. */
  timeoutMs?: number
  tracing?: Tracing
}

type AnswerOf<R extends InternalRouteContract> = z.output<R['responses'][keyof R['responses']]>
type SentInput<R extends InternalRouteContract> = Partial<RouteInput<R>>

export interface InternalClient {
  /**
   * Calls a route of the other service. Throws the AppError that the service answered, or `unavailable` without an
   * answer in time.
   */
  call<R extends InternalRouteContract>(contract: R, input: SentInput<R>): Promise<AnswerOf<R>>
}

/**
 * A replica that stops closes its idle connections one by one, so the second attempt may get a closing connection as
 * well.
 */
const minAttempts = 3

interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, string | number | undefined>
  body?: unknown
}

export function createInternalClient(options: InternalClientOptions): InternalClient {
  const { baseUrls, timeoutMs = 1500, tracing = noTracing } = options
  const credential = internalCredential(options.caller, options.secret)
  const replicas = baseUrls.map((baseUrl) => createHttpExchange(baseUrl))
  const maxAttempts = Math.max(replicas.length, minAttempts)
  let turn = 0

  const callAny = async (
    contract: InternalRouteContract,
    input: AnyInput,
    carried: Record<string, string>,
  ) => {
    const request = { ...toHttpRequest(contract, input), signal: AbortSignal.timeout(timeoutMs) }
    request.headers = { authorization: credential, ...request.headers, ...carried }
    let failure: unknown
    // `turn` is read once, because concurrent calls advance it and this call would try the same replica twice.
    const first = turn++
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const replica = replicas[(first + attempt) % replicas.length] as HttpExchange
      let isAnswered = false
      try {
        const response = await replica(request)
        isAnswered = true
        const body = await response.json()
        const schema = contract.responses[response.status]
        if (schema) return schema.parse(body)
        throw toRefusal(body)
      } catch (error) {
        if (error instanceof AppError && error.kind !== 'unavailable') throw error
        failure = error
        // After one attempt at every replica, only a connection that broke without an answer is retried. After
        // `timeoutMs` the signal makes further requests fail at once.
        if (attempt + 1 >= replicas.length && isAnswered) break
      }
    }
    throw unavailable(`${contract.service} ${contract.path}`, failure)
  }

  return {
    async call(contract, input) {
      const span = tracing.start(`${contract.service} ${contract.path}`, { kind: 'client' })
      const request = currentRequest()
      const traceparent = span.traceparent ?? request?.traceparent
      const carried = carryingHeaders(request && { ...request, traceparent })
      let failed = true
      try {
        const answer = await callAny(contract, input as AnyInput, carried)
        failed = false
        return answer as never
      } finally {
        span.end({ failed })
      }
    },
  }
}

function toHttpRequest(
  { method, path }: InternalRouteContract,
  { params, query, body }: AnyInput,
): Omit<HttpRequest, 'signal'> {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.set(name, String(value))
  return {
    method,
    path: search.size > 0 ? `${filled}?${search.toString()}` : filled,
    headers: body ? { 'content-type': 'application/json' } : {},
    ...(body ? { body: JSON.stringify(body) } : {}),
  }
}

function toRefusal(body: unknown): AppError {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success)
    return new AppError('internal', 'internal_error', 'Something went wrong on our side. Please try again.')
  const { code, error } = parsed.data
  return new AppError(...([errorCatalogue[code].kind, code, error] as AppErrorArguments))
}
