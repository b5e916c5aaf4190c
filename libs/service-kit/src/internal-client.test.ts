import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineInternalRoute } from '@sumlock/contracts/route'
import { z } from 'zod'
import { toErrorBody, unavailable } from './app-error.ts'
import { createRouteBinder } from './bind-route.ts'
import { createSessionGuard } from './caller.ts'
import { systemClock } from './clock.ts'
import { createHttpApp, finishApp } from './http-app.ts'
import { guardInternalRoute } from './internal-auth.ts'
import { createInternalClient } from './internal-client.ts'
import { createLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'
import type { Tracing } from './tracing.ts'

const secret = 's'.repeat(40)
const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const route = defineInternalRoute({
  method: 'GET',
  path: '/internal/things/:id',
  service: 'auth',
  callers: ['gateway'],
  summary: '',
  params: z.object({ id: z.string() }),
  query: z.strictObject({ colour: z.string().optional() }),
  responses: { 200: z.object({ id: z.string(), colour: z.string() }) },
})

let server: Server
let url: string

beforeAll(async () => {
  const options = {
    logger: createLogger({ service: 't', instance: 't', level: 'silent' }),
    metrics: createMetrics('t'),
  }
  const app = createHttpApp(options)
  guardInternalRoute(app, route, { gateway: hash(secret), billing: hash('b'.repeat(40)) })
  const bind = createRouteBinder(app, {
    guard: createSessionGuard([], systemClock(), 'messaging'),
    config: { SUMLOCK_MODE: 'test' },
  })
  bind(route, ({ params, query }) => ({ id: params.id, colour: query.colour ?? 'none' }))
  server = createServer(finishApp(app, options)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const input = { params: { id: 'a b' }, query: { colour: 'red' } }
const unreachable = 'http://127.0.0.1:9'

describe('a call between services', () => {
  it('carries params and query and returns the parsed answer', async () => {
    const client = createInternalClient({ caller: 'gateway', secret, baseUrls: [url] })
    expect(await client.call(route, input)).toEqual({ id: 'a b', colour: 'red' })
  })

  it('tries the next replica when one cannot be reached', async () => {
    const client = createInternalClient({ caller: 'gateway', secret, baseUrls: [unreachable, url] })
    expect(await client.call(route, input)).toMatchObject({ colour: 'red' })
    expect(await client.call(route, input)).toMatchObject({ colour: 'red' })
  })

  it('is unavailable when no replica answers', async () => {
    const client = createInternalClient({ caller: 'gateway', secret, baseUrls: [unreachable] })
    await expect(client.call(route, input)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('ends its span as failed unless it was answered', async () => {
    const ended: unknown[] = []
    const tracing: Tracing = {
      start: (name) => ({
        traceparent: undefined,
        end: (end) => ended.push({ name, ...end }),
      }),
      close: () => Promise.resolve(),
    }
    await createInternalClient({ caller: 'gateway', secret, baseUrls: [url], tracing }).call(route, input)
    const failing = createInternalClient({ caller: 'gateway', secret: 'x', baseUrls: [url], tracing })
    await expect(failing.call(route, input)).rejects.toThrow()
    const name = 'auth /internal/things/:id'
    expect(ended).toEqual([
      { name, failed: false },
      { name, failed: true },
    ])
  })

  it.each([
    ['a wrong secret', 'gateway', 'x'.repeat(40)],
    ['a caller the route does not name', 'billing', 'b'.repeat(40)],
    ['an unknown caller', 'notify', secret],
  ] as const)('is refused with %s', async (_, caller, shown) => {
    const client = createInternalClient({ caller, secret: shown, baseUrls: [url] })
    await expect(client.call(route, input)).rejects.toMatchObject({ kind: 'forbidden', code: 'not_allowed' })
  })
})

describe('one address that stands for many replicas', () => {
  const things: Server[] = []
  afterEach(() => {
    for (const thing of things.splice(0)) thing.close().closeAllConnections()
  })
  const answer: RequestListener = (_, response) => {
    response.setHeader('content-type', 'application/json').end('{"id":"a","colour":"red"}')
  }
  /** Handles each request with the listener at its position, and answers every further one. */
  async function oneAddress(...turns: RequestListener[]) {
    let asked = 0
    const server = createServer((request, response) => (turns[asked++] ?? answer)(request, response))
    things.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    const baseUrls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`]
    const client = createInternalClient({ caller: 'gateway', secret, baseUrls })
    return { server, call: () => client.call(route, input), asked: () => asked }
  }
  const notNow = toErrorBody(unavailable('x'), 'r')
  const close: RequestListener = ({ socket }) => socket.destroy()
  const reset: RequestListener = ({ socket }) => socket.resetAndDestroy()

  it.each([
    ['closed', close],
    ['reset', reset],
  ])('is called a second time when the connection breaks without an answer: %s', async (_, breakOff) => {
    const { call, asked } = await oneAddress(breakOff)
    expect(await call()).toMatchObject({ colour: 'red' })
    expect(asked()).toBe(2)
  })

  it('is called a third time when the second connection breaks, too', async () => {
    const { call, asked } = await oneAddress(close, reset)
    expect(await call()).toMatchObject({ colour: 'red' })
    expect(asked()).toBe(3)
  })

  it.each<[string, RequestListener]>([
    ['answered 503', (_, response) => response.writeHead(503).end(JSON.stringify(notNow))],
    ['broke off in its answer', (_, response) => response.write('{"id"', () => response.destroy())],
    ['let the time run out', () => undefined],
    ['let the time run out in its answer', (_, response) => response.write('{"id"')],
  ])('is not called again when it %s', async (_, turn) => {
    const { call, asked } = await oneAddress(turn)
    await expect(call()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(asked()).toBe(1)
  })

  it('has failed when it answers neither what the contract allows nor an error', async () => {
    const { call } = await oneAddress((_, response) => response.writeHead(500).end('{"oops":true}'))
    await expect(call()).rejects.toMatchObject({ kind: 'internal', code: 'internal_error' })
  })

  it('is given up after three broken connections', async () => {
    const { call, asked } = await oneAddress(close, reset, close, reset)
    await expect(call()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(asked()).toBe(3)
  })
})
