import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
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
    // It is accepted after all earlier connections.
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

describe('an answer of an HTTP exchange', () => {
  const whole: RequestListener = (_request, response) => response.end('{"is":"whole"}')
  const broken: RequestListener = (_request, response) => response.write('{"is', () => response.destroy())

  it('leaves its connection to the next request', async () => {
    let connections = 0
    server.on('request', whole).on('connection', () => (connections += 1))
    expect(await (await ask()).json()).toEqual({ is: 'whole' })
    await new Promise(setImmediate)
    expect(await (await ask()).json()).toEqual({ is: 'whole' })
    expect(connections).toBe(1)
  })

  it('rejects its body when the connection breaks before the end', async () => {
    server.on('request', broken)
    const answer = await ask()
    await expect(answer.json()).rejects.toThrow('aborted')
  })

  it('causes no unhandled rejection when it breaks and its body is ignored', async () => {
    server.once('request', broken)
    expect((await ask()).status).toBe(200)
    server.on('request', whole)
    expect((await ask()).status).toBe(200)
  })
})
