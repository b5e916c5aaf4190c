import type { InternalRouteContract, RouteInput, ServiceName } from '@sumlock/contracts/route'
import { errorCatalogue } from '@sumlock/contracts/error-catalogue'
import { errorBody } from '@sumlock/contracts/errors'
import type { z } from 'zod'
import { AppError, unavailable } from './app-error.ts'
import type { AppErrorArguments } from './app-error.ts'
import { internalCredential } from './internal-auth.ts'
import { carryingHeaders, currentRequest } from './request-context.ts'
import { noTracing } from './tracing.ts'
import type { Tracing } from './tracing.ts'

export interface InternalClientOptions {
  caller: ServiceName
  secret: string
  /** One or more replicas; a call that finds nobody at one goes to the next. */
  baseUrls: readonly string[]
  /** Whole call, all replicas together. */
  timeoutMs?: number
  /** Multiplies the time-out. */
  patience?: number
  tracing?: Tracing
}

type AnswerOf<R extends InternalRouteContract> = z.output<R['responses'][keyof R['responses']]>
type SentInput<R extends InternalRouteContract> = Partial<RouteInput<R>>

export interface InternalClient {
  /** Calls a route of the other service; throws its AppError, or `unavailable` when nobody answers in time. */
  call<R extends InternalRouteContract>(contract: R, input: SentInput<R>): Promise<AnswerOf<R>>
}

export function createInternalClient(options: InternalClientOptions): InternalClient {
  const { baseUrls, timeoutMs = 1500, patience = 1, tracing = noTracing } = options
  const credential = internalCredential(options.caller, options.secret)
  let turn = 0

  const callOne = async (
    baseUrl: string,
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
    const response = await fetch(`${baseUrl}${path}${search.size > 0 ? `?${search.toString()}` : ''}`, {
      method: contract.method,
      headers: {
        authorization: credential,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...carried,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal,
    })
    return { status: response.status, body: await response.json() }
  }

  const callAny = async (
    contract: InternalRouteContract,
    input: SentInput<never>,
    carried: Record<string, string>,
  ) => {
    const signal = AbortSignal.timeout(timeoutMs * patience)
    let failure: unknown
    // Its own place in the round: calls made meanwhile move the turn on, and the same replica would be asked twice.
    const first = turn++
    // guard: next-replica
    for (let attempt = 0; attempt < baseUrls.length; attempt += 1) {
      const baseUrl = baseUrls[(first + attempt) % baseUrls.length] as string
      try {
        const answer = await callOne(baseUrl, contract, input, signal, carried)
        const schema = contract.responses[answer.status]
        if (schema) return schema.parse(answer.body)
        throw toRefusal(answer.body)
      } catch (error) {
        if (error instanceof AppError && error.kind !== 'unavailable') throw error
        failure = error
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
