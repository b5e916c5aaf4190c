import type { InternalRouteContract, RouteInput, ServiceName } from '@sumlock/contracts/route'
import { errorBody, errorCatalogue } from '@sumlock/contracts/errors'
import type { z } from 'zod'
import { AppError, unavailable } from './app-error.ts'
import type { AppErrorArguments } from './app-error.ts'
import { createHttpExchange } from './http-exchange.ts'
import type { HttpExchange } from './http-exchange.ts'
import { internalCredential } from './internal-auth.ts'
import { carryingHeaders, currentRequest } from './request-context.ts'
import { noTracing } from './tracing.ts'
import type { Tracing } from './tracing.ts'

export interface InternalClientOptions {
  caller: ServiceName
  secret: string
  /**
   * One or more replicas; a call that finds nobody at one goes to the next. One address may stand for many (a Service
   * of Kubernetes): it is asked again when the connection breaks before anything was answered.
   */
  baseUrls: readonly string[]
  /** Whole call, all replicas together. */
  timeoutMs?: number
  tracing?: Tracing
}

type AnswerOf<R extends InternalRouteContract> = z.output<R['responses'][keyof R['responses']]>
type SentInput<R extends InternalRouteContract> = Partial<RouteInput<R>>

export interface InternalClient {
  /** Calls a route of the other service; throws its AppError, or `unavailable` when nobody answers in time. */
  call<R extends InternalRouteContract>(contract: R, input: SentInput<R>): Promise<AnswerOf<R>>
}

/** A replica that stops closes its idle connections one after the other, and a second ask may still get one of them. */
const asksWhileUnheard = 3

export function createInternalClient(options: InternalClientOptions): InternalClient {
  const { baseUrls, timeoutMs = 1500, tracing = noTracing } = options
  const credential = internalCredential(options.caller, options.secret)
  const replicas = baseUrls.map((baseUrl) => createHttpExchange(baseUrl))
  let turn = 0

  const ask = async (
    exchange: HttpExchange,
    contract: InternalRouteContract,
    input: SentInput<never>,
    signal: AbortSignal,
    carried: Record<string, string>,
  ) => {
    const { params, query, body } = input as {
      params?: Record<string, string>
      query?: Record<string, string | number | undefined>
      body?: unknown
    }
    const path = contract.path.replace(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(String(params?.[name])),
    )
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query ?? {}))
      if (value !== undefined) search.set(name, String(value))
    return exchange({
      method: contract.method,
      path: search.size > 0 ? `${path}?${search.toString()}` : path,
      headers: {
        authorization: credential,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...carried,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal,
    })
  }

  const callAny = async (
    contract: InternalRouteContract,
    input: SentInput<never>,
    carried: Record<string, string>,
  ) => {
    const signal = AbortSignal.timeout(timeoutMs)
    let failure: unknown
    // Its own place in the round: calls made meanwhile move the turn on, and the same replica would be asked twice.
    const first = turn++
    const asksAtMost = Math.max(replicas.length, asksWhileUnheard)
    for (let asked = 0; asked < asksAtMost; asked += 1) {
      const replica = replicas[(first + asked) % replicas.length] as HttpExchange
      let isAnswered = false
      try {
        const response = await ask(replica, contract, input, signal, carried)
        isAnswered = true
        const body = await response.json()
        const schema = contract.responses[response.status]
        if (schema) return schema.parse(body)
        throw toRefusal(body)
      } catch (error) {
        if (error instanceof AppError && error.kind !== 'unavailable') throw error
        failure = error
        // Once every replica was asked, only one that was not heard at all is asked again. Out of time, the signal keeps
        // any further ask from being sent.
        if (asked + 1 >= replicas.length && isAnswered) break
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
        const answer = await callAny(contract, input, carried)
        failed = false
        return answer as never
      } finally {
        span.end({ failed })
      }
    },
  }
}

function toRefusal(body: unknown): AppError {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success)
    return new AppError('internal', 'internal_error', 'Another part answered in a way nobody expected.')
  const { code, error } = parsed.data
  return new AppError(...([errorCatalogue[code].kind, code, error] as AppErrorArguments))
}
