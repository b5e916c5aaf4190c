import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { login } from '@sumlock/contracts/auth-routes'
import { lock } from '@sumlock/contracts/lock-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { createLogger } from '@sumlock/service-kit/logger'
import { createMetrics } from '@sumlock/service-kit/metrics'
import { eventually } from '@sumlock/testing/wait'
import type { Request } from 'express'
import { bufferBodies, checkBodyLength, refuseUnexpectedBody } from './buffer-body.ts'
import { runStages } from './upstream-request.ts'
import type { UpstreamRequest } from './upstream-request.ts'

const options = {
  logger: createLogger({ service: 'gateway', instance: 'test', level: 'silent' }),
  metrics: createMetrics('gateway'),
}
let reached = 0
let heldBytes = 0
let handled = Promise.resolve()
let knownRoute: Partial<RouteContract> | undefined
const app = createHttpApp(options)
const echo = async ({ request, response }: UpstreamRequest) => {
  reached += 1
  await handled
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  response.json({ heard: Buffer.concat(chunks).toString() })
}
const refused: string[] = []
const bounds = { total: 100_000, perAddress: 80_000 }
const { small, large } = bufferBodies({
  timeoutMs: 1100,
  bounds: { people: bounds, webhooks: bounds },
  onRefused: (reason) => refused.push(reason),
  onHeld: (change) => (heldBytes += change),
})
const setRoute = (upstream: UpstreamRequest) =>
  void Object.defineProperty(upstream, 'knownRoute', { value: knownRoute })
app.use(runStages([setRoute, checkBodyLength, small, large, echo], { COOKIE_SECURE: false }))
const server = createServer(finishApp(app, options))
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  reached = 0
  handled = Promise.resolve()
  knownRoute = undefined
  refused.length = 0
})

/** The answer to these bytes, read until the connection closes or the answer is complete. */
function send(headers: string, body: string, then?: (socket: Socket) => Promise<void>): Promise<string> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (/\r\n\r\n.*}$/s.test(text)) socket.destroy()
    })
    socket.on('close', () => resolve(text)).on('error', reject)
    socket.write(`POST /x HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n${body}`)
    void then?.(socket)
  })
}

describe('a request body', () => {
  it('is forwarded unchanged once all of it has arrived', async () => {
    expect(await send('Content-Length: 5', 'hello')).toMatch(/^HTTP\/1.1 200 .*{"heard":"hello"}$/s)
  })

  it('that does not arrive in time is refused, and no service is called', async () => {
    expect(await send('Content-Length: 5', 'hel')).toMatch(/^HTTP\/1.1 408 .*request_too_slow/s)
    expect(reached).toBe(0)
  })

  it('without a stated length is refused', async () => {
    expect(await send('Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    expect(reached).toBe(0)
  })

  it('that is too long is refused before it arrives', async () => {
    expect(await send('Content-Length: 65537', 'x')).toMatch(/^HTTP\/1.1 413 .*body_too_large/s)
    expect(reached).toBe(0)
  })

  it('may be as large as its route states, and no larger', async () => {
    knownRoute = { bodyMaxBytes: 70_000 }
    const body = 'x'.repeat(70_000)
    expect(await send('Content-Length: 70000', body)).toMatch(/^HTTP\/1.1 200 /)
    expect(await send('Content-Length: 70001', 'x')).toMatch(/^HTTP\/1.1 413 .*body_too_large/s)
    knownRoute = { bodyMaxBytes: 4 }
    expect(await send('Content-Length: 5', 'hello')).toMatch(/^HTTP\/1.1 413 /)
    expect(reached).toBe(1)
  })

  it('that comes in pieces is forwarded unchanged', async () => {
    const answer = send('Content-Length: 11', 'hello', async (socket) => {
      for (const piece of [' ', 'wor', 'ld']) {
        await new Promise(setImmediate)
        socket.write(piece)
      }
    })
    expect(await answer).toMatch(/^HTTP\/1.1 200 .*{"heard":"hello world"}$/s)
  })

  it.each([
    ['answered', 'Content-Length: 60000', 'x'.repeat(60_000), '200'],
    ['too slow', 'Content-Length: 60000', 'x', '408'],
  ])(
    'that is %s gives its bytes back, so that the next one of its address fits',
    async (_how, headers, body, status) => {
      for (let time = 0; time < 3; time += 1)
        expect((await send(headers, body)).slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
      expect(refused).toEqual([])
    },
  )

  it('that is cut off gives its bytes back', async () => {
    for (let time = 0; time < 3; time += 1) {
      const cut = send('Content-Length: 60000', 'x', async (socket) => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        socket.destroy()
      })
      expect(await cut).toBe('')
    }
    expect((await send('Content-Length: 60000', 'x'.repeat(60_000))).slice(0, 12)).toBe('HTTP/1.1 200')
    expect(refused).toEqual([])
  })

  it('beyond the share of its address ends the one of that address that waits longest', async () => {
    const first = send('Content-Length: 60000', 'x')
    await eventually(() => expect(heldBytes).toBe(60_000))
    expect((await send('Content-Length: 60000', 'x'.repeat(60_000))).slice(0, 12)).toBe('HTTP/1.1 200')
    expect(await first).toMatch(/^HTTP\/1.1 408 /)
    expect(refused).toEqual(['bodies'])
  })

  it('is refused with 429 before it arrives while those that have arrived hold the share of its address', async () => {
    const { promise: answers, resolve: answer } = Promise.withResolvers<void>()
    handled = answers
    const first = send('Content-Length: 60000', 'x'.repeat(60_000))
    await eventually(() => expect(reached).toBe(1))
    const second = await send('Content-Length: 60000', 'x')
    expect(second).toMatch(/^HTTP\/1.1 429 .*retry-after: 2\r.*too_many_requests/is)
    expect(refused).toEqual(['address'])
    answer()
    expect(await first).toMatch(/^HTTP\/1.1 200 /)
    expect(reached).toBe(1)
  })

  it('is refused on a route that has none', () => {
    const request = { headers: { 'content-length': '2' } } as Request
    const check = (route: RouteContract) => () => refuseUnexpectedBody({ request, route } as UpstreamRequest)
    expect(check(lock)).toThrow('This request must not have a body.')
    expect(check(login)).not.toThrow()
  })
})
