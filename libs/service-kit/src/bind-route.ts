import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { bodyKindOf, bodyMaxBytesOf } from '@sumlock/contracts/route-body'
import type { InternalRouteContract, RouteContract, RouteInput, ServiceName } from '@sumlock/contracts/route'
import type { IRouter, Request, RequestHandler, Response } from 'express'
import type { z } from 'zod'
import { AppError } from './app-error.ts'
import type { Caller, SessionGuard } from './caller.ts'
import type { CommonConfig } from './config.ts'
import { parseBody, readBytes } from './parse-body.ts'
import { ByteStream, JsonStream, Reply } from './reply.ts'
import type { HandlerResult } from './reply.ts'
import { requestStateOf } from './request-state.ts'
import { stalledStreamMs } from './serve.ts'

export interface RequestMeta {
  requestId: string
  /** The gateway has determined this IP address of the client. */
  clientAddress: string
  userAgent: string | undefined
  range: string | undefined
  /** The value is that of the Host header, with the port if it has one. */
  host: string | undefined
  /** The sender of a webhook signs the request in the header that the contract names; this is its value. */
  signature?: string | undefined
  cookies: Readonly<Record<string, string>>
  /** Only requests to internal routes have this. */
  callingService?: ServiceName | undefined
}

export type CallerOf<R> = R extends { access: 'public' }
  ? Caller | null
  : R extends { access: 'webhook' }
    ? null
    : R extends { access: string }
      ? Caller
      : null

export type RouteHandler<R extends RouteContract | InternalRouteContract> = (
  input: RouteInput<R> & { caller: CallerOf<R>; meta: RequestMeta },
) => Promise<HandlerResult<R>> | HandlerResult<R>

export interface RouteBinder {
  <R extends RouteContract | InternalRouteContract>(contract: R, handler: RouteHandler<R>): void
}

export interface BinderOptions {
  guard: SessionGuard
  /** Outside production, each answer is also checked against its contract. */
  config: Pick<CommonConfig, 'SUMLOCK_MODE'>
}

/**
 * Returns a function that binds a contract to its handler: a request is authorised and parsed, the handler runs, and
 * its answer is sent. Errors go to the app's error handler.
 */
export function createRouteBinder(router: IRouter, { guard, config }: BinderOptions): RouteBinder {
  const checkAnswers = config.SUMLOCK_MODE !== 'production'
  return (contract, handler) => {
    const method = contract.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
    const handle: RequestHandler = async (request, response) => {
      requestStateOf(response).route = contract.path
      const caller = callerOf(contract, guard, request)
      const body = await readBody(request, contract)
      const input = {
        params: parse(contract.params, request.params),
        query: parse(contract.query, request.query),
        body: parse(contract.body, body),
        caller,
        meta: metaOf(contract, request, response),
      }
      const result = await handler(input as never)
      if (result instanceof JsonStream) return sendElements(response, result.elements)
      if (result instanceof ByteStream) return sendBytes(response, result)
      send(
        response,
        contract,
        result instanceof Reply ? result : new Reply(firstStatus(contract), result),
        checkAnswers,
      )
    }
    router[method](contract.path, handle)
  }
}

function callerOf(
  contract: RouteContract | InternalRouteContract,
  guard: SessionGuard,
  request: Request,
): Caller | null {
  if (!('access' in contract) || contract.access === 'webhook') return null
  const { authorization } = request.headers
  return contract.access === 'public'
    ? guard.identify(authorization)
    : guard.require(contract.access, authorization)
}

async function readBody(
  request: IncomingMessage,
  contract: RouteContract | InternalRouteContract,
): Promise<unknown> {
  const maxBytes = bodyMaxBytesOf(contract)
  switch (bodyKindOf(contract)) {
    case 'json':
      return parseBody(request, maxBytes)
    case 'raw':
      return readBytes(request, maxBytes)
    case 'stream':
      return request
    case null:
      return undefined
  }
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  // guard: checked-input
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fields = Object.fromEntries(
    parsed.error.issues.map((issue) => [issue.path.join('.') || 'body', issue.message]),
  )
  const sentence = parsed.error.issues[0]?.message ?? 'The request is not valid.'
  throw new AppError('invalid', 'invalid_request', sentence, { fields })
}

function metaOf(
  contract: RouteContract | InternalRouteContract,
  request: Request,
  response: Response,
): RequestMeta {
  const { requestId, cookies, callingService } = requestStateOf(response)
  const { host, range, 'user-agent': userAgent } = request.headers
  const meta = { requestId, cookies, clientAddress: request.ip ?? '', userAgent, host, range, callingService }
  const { signatureHeader } = contract as RouteContract
  return signatureHeader ? { ...meta, signature: request.get(signatureHeader) } : meta
}

/** The first element is read before anything is sent, so that a failure before it still gets an error as its answer. */
async function sendElements(response: Response, elements: AsyncIterator<unknown>): Promise<void> {
  const first = await elements.next()
  async function* text() {
    try {
      let separator = '['
      for (let next = first; !next.done; next = await elements.next()) {
        yield separator + JSON.stringify(next.value)
        separator = ','
      }
      yield separator === '[' ? '[]' : ']'
    } finally {
      await elements.return?.()
    }
  }
  response.type('application/json')
  await pipeline(text(), response).catch(ignoreGoneClient)
}

async function sendBytes(response: Response, { status, headers, bytes }: ByteStream): Promise<void> {
  response.status(status).set(headers)
  response.socket?.setTimeout(stalledStreamMs)
  await pipeline(bytes, response).catch(ignoreGoneClient)
}

function ignoreGoneClient(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
}

const firstStatus = (contract: RouteContract | InternalRouteContract): number =>
  Number(Object.keys(contract.responses)[0])

function send(
  response: Response,
  contract: RouteContract | InternalRouteContract,
  reply: Reply<unknown>,
  checkAnswers: boolean,
): void {
  response.status(reply.status).set(reply.headers)
  const schema = contract.upstreamResponse ?? contract.responses[reply.status]
  if (checkAnswers && !schema?.safeParse(reply.body).success) {
    throw new Error(
      `${contract.method} ${contract.path} answered ${reply.status} with a body its contract does not allow`,
    )
  }
  response.json(reply.body)
}
