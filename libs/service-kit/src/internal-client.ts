import type { InternalRouteContract, RouteInput, ServiceName } from '@sumlock/contracts/route'
import { errorCatalogue } from '@sumlock/contracts/error-catalogue'
import { errorBody } from '@sumlock/contracts/errors'
import type { z } from 'zod'
import { AppError, unavailable } from './app-error.ts'
import type { AppErrorArguments } from './app-error.ts'
import { internalCredential } from './internal-auth.ts'

export interface InternalClientOptions {
  caller: ServiceName
  secret: string
  /** One or more replicas; a call that finds nobody at one goes to the next. */
  baseUrls: readonly string[]
  /** Whole call, all replicas together. */
  timeoutMs?: number
}

type AnswerOf<R extends InternalRouteContract> = z.output<R['responses'][keyof R['responses']]>
type SentInput<R extends InternalRouteContract> = Partial<RouteInput<R>> & { requestId?: string }

export interface InternalClient {
  /** Calls a route of the other service; throws its AppError, or `unavailable` when nobody answers in time. */
  call<R extends InternalRouteContract>(contract: R, input: SentInput<R>): Promise<AnswerOf<R>>
}

export function createInternalClient(options: InternalClientOptions): InternalClient {
  const { baseUrls, timeoutMs = 1500 } = options
  const credential = internalCredential(options.caller, options.secret)
  let turn = 0

  const callOne = async (
    baseUrl: string,
    contract: InternalRouteContract,
    input: SentInput<never>,
    signal: AbortSignal,
  ) => {
    const { params, query, body, requestId } = input as {
      params?: Record<string, string>
      query?: Record<string, string | number | undefined>
      body?: unknown
      requestId?: string
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
        ...(requestId ? { 'x-request-id': requestId } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal,
    })
    return { status: response.status, body: await response.json() }
  }

  return {
    async call(contract, input) {
      const signal = AbortSignal.timeout(timeoutMs)
      let failure: unknown
      // Its own place in the round: calls made meanwhile move the turn on, and the same replica would be asked twice.
      const first = turn++
      // guard: next-replica
      for (let attempt = 0; attempt < baseUrls.length; attempt += 1) {
        const baseUrl = baseUrls[(first + attempt) % baseUrls.length] as string
        try {
          const answer = await callOne(baseUrl, contract, input as SentInput<never>, signal)
          const schema = contract.responses[answer.status]
          if (schema) return schema.parse(answer.body) as never
          throw toRefusal(answer.body)
        } catch (error) {
          if (error instanceof AppError && error.kind !== 'unavailable') throw error
          failure = error
        }
      }
      throw unavailable(`${contract.service} ${contract.path}`, failure)
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
