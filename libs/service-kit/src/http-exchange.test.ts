import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createHttpExchange } from './http-exchange.ts'
import type { HttpExchange } from './http-exchange.ts'

const untilTheEnd = new AbortController()
let server: Server
let port: number
let exchange: HttpExchange
/** Requests that arrived and have no answer yet. */
let inFlight: ServerResponse[]
let isFull: Promise<void>

beforeEach(async () => {
  const full = Promise.withResolvers<void>()
  ;[inFlight, isFull] = [[], full.promise]
  server = createServer((_request, response) => {
    if (inFlight.push(response) === 64) full.resolve()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
  exchange = createHttpExchange(`http://127.0.0.1:${port}`)
})
afterEach(() => server.close().closeAllConnections())

const ask = (signal: AbortSignal = untilTheEnd.signal) =>
  exchange({ method: 'GET', path: '/', headers: {}, signal })

describe('an HTTP exchange with one address', () => {
  it('sends 64 requests at once, and the next one when one is answered', async () => {
    const asked = Array.from({ length: 70 }, () => ask())
    await isFull
    // Accepted after all earlier connections.
    const last = connect(port, '127.0.0.1').on('error', () => undefined)
    await once(server, 'connection')
    const connections = await new Promise((resolve) => server.getConnections((_, count) => resolve(count)))
    expect(connections).toBe(64 + 1)
    last.destroy()
    server.on('request', (_request, response: ServerResponse) => response.end('{}'))
    for (const response of inFlight) response.end('{}')
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(70).fill(200))
  })
})

describe('a request that is queued for a connection', () => {
  it('rejects when its signal aborts', async () => {
    const asked = Array.from({ length: 64 }, () => ask().catch(() => undefined))
    await isFull
    await expect(ask(AbortSignal.timeout(20))).rejects.toThrow('timeout')
    expect(inFlight).toHaveLength(64)
    server.closeAllConnections()
    await Promise.all(asked)
  })
})
