import { createServer, request as send } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { allRoutes } from '@sumlock/contracts/all-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import type { Guests } from './guests.ts'

/** What an operation was asked, and what it answered. */
export interface Visits {
  calls: number
  byStatus: Map<number, number>
}

export interface FrontDesk {
  readonly url: string
  /** By operation id; `elsewhere` for what led to none. */
  readonly visits: ReadonlyMap<string, Visits>
  close(): void
}

export const elsewhere = 'elsewhere'

const operations = Object.entries<RouteContract>(allRoutes).map(([id, { method, path }]) => ({
  id,
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
}))
/** The desk says these itself. */
const replaced = new Set(['cookie', 'x-csrf-token', 'origin', 'host', 'connection'])

/**
 * Stands between the fuzzer and the gateway: gives each call the cookies and the CSRF token of whoever may make it, passes
 * the rest on byte for byte, and keeps count.
 */
export async function openFrontDesk(gatewayUrl: string, guests: Guests): Promise<FrontDesk> {
  const visits = new Map<string, Visits>([...operations, { id: elsewhere }].map(({ id }) => [id, noVisits()]))
  const server = createServer((request, response) => {
    serve(request).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => response.destroy(error as Error),
    )
  })

  async function serve(request: IncomingMessage) {
    const [path] = (request.url ?? '').split('?', 1)
    const found = operations.find(
      ({ method, pattern }) => method === request.method && pattern.test(path ?? ''),
    )
    const operation = found?.id ?? elsewhere
    const guest = await guests.for(operation, await bodyOf(request))
    const headers = Object.fromEntries(
      Object.entries(request.headersDistinct).filter(([name]) => !replaced.has(name)),
    )
    const answer = await forward(gatewayUrl, request, { ...headers, ...guest.headers }, guest.body)
    const { calls, byStatus } = visits.get(operation) as Visits
    visits.set(operation, { calls: calls + 1, byStatus })
    byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
    guest.answered(answer.status)
    return answer
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, visits, close: () => server.close() }
}

const noVisits = (): Visits => ({ calls: 0, byStatus: new Map() })

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Forwarded {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

function forward(
  gatewayUrl: string,
  { method = 'GET', url = '/', headers: { 'content-length': declared } }: IncomingMessage,
  headers: Record<string, string | string[] | undefined>,
  body: Buffer,
): Promise<Forwarded> {
  const { hostname, port } = new URL(gatewayUrl)
  if (declared !== undefined) headers['content-length'] = String(body.length)
  return new Promise((resolve, reject) => {
    const outgoing = send({ hostname, port, method, path: url, headers, agent: false }, (response) => {
      bodyOf(response).then((answered) => {
        const { connection: _hop, 'transfer-encoding': _coding, ...rest } = response.headers
        resolve({ status: response.statusCode ?? 0, headers: rest, body: answered })
      }, reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
