import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { getUser } from '@sumlock/contracts/auth-routes'
import { lock, verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { getObject, putObject, stalledTransferMs } from '@sumlock/contracts/media-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import { defineRoute } from '@sumlock/contracts/route'
import type { RouteContract } from '@sumlock/contracts/route'
import { putPart } from '@sumlock/contracts/s3-routes'
import { account } from '@sumlock/contracts/user'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { createLogger } from '@sumlock/service-kit/logger'
import { createMetrics } from '@sumlock/service-kit/metrics'
import { notUnlocked } from '@sumlock/service-kit/step-up'
import { sampleOf } from '@sumlock/testing/arbitrary-of'
import { rawRequest } from '@sumlock/testing/raw-request'
import { eventually } from '@sumlock/testing/wait'
import type { Context } from '../context.ts'
import type { GatewaySession } from '../infrastructure/session-cache.ts'
import { createUpstream } from '../infrastructure/upstream.ts'
import type { Upstream } from '../infrastructure/upstream.ts'
import { forward } from './forward.ts'
import { runStages } from './upstream-request.ts'
import type { UpstreamRequest } from './upstream-request.ts'

const logger = createLogger({ service: 'gateway', instance: 'test', level: 'silent' })
const metrics = createMetrics('gateway')
let refused: string[] = []
const longTimeouts = {
  UPSTREAM_TIMEOUT_MS: 20_000,
  UPSTREAM_QUEUE_TIMEOUT_MS: 7000,
  UPSTREAM_RETRY_WITHIN_MS: 4000,
}
const config = { COOKIE_SECURE: false, ...longTimeouts }
let received: IncomingHttpHeaders[] = []
const known: GatewaySession = {
  tokens: { messaging: 'the-token', auth: 'the-token', billing: 'of another', notify: 'of another' },
  sid: 's',
  userId: 'u',
  unlockedUntilMs: 0,
  isAdmin: false,
  passwordGivenAtMs: 0,
  expiresAtMs: Infinity,
}
let identity: GatewaySession
let route: RouteContract
/** The number of next requests whose connection is reset. */
let cutOff = 0
/** The last request that entered. */
let current: UpstreamRequest | undefined
/** Ends another stream for a request. */
let makeRoom: (() => void) | undefined
/** While set, requests wait here for their answers. */
let kept: ServerResponse[] | undefined
/** The answer to all other requests. */
let body: string | Buffer = '{}'
const behind = createServer((request, response) => {
  received.push(request.headers)
  if (kept) kept.push(response)
  else if (cutOff-- > 0) request.socket.resetAndDestroy()
  else response.setHeader('content-type', 'application/json').end(body)
})
/** Requests in the pipeline. */
let unanswered = 0
let gateway: Server
let url: string
let ctx: Context
let upstream: Upstream

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  const target = await listen(behind)
  upstream = createUpstream([target], 2, 3)
  const names = ['auth', 'messaging', 'billing', 'notify', 'streams']
  const upstreams = Object.fromEntries(names.map((name) => [name, upstream]))
  const sessions = { forgetSession: () => undefined, forgetCookie: () => undefined }
  const counted = {
    ...metrics,
    refused: (reason: string) => refused.push(reason),
    streamEnded: (reason: string) => refused.push(reason),
  }
  ctx = { config, logger, metrics: counted, sessions, upstreams } as never
  const app = createHttpApp({ logger, metrics })
  app.set('trust proxy', false)
  const enter = (request: UpstreamRequest) => {
    request.identity = identity
    request.makeRoom = makeRoom
    current = request
    // This includes contracts that only exist in tests.
    Object.defineProperty(request, 'route', { value: route })
    unanswered += 1
    request.defer(() => (unanswered -= 1))
  }
  app.use(runStages([enter, forward(ctx)], config))
  gateway = createServer(finishApp(app, { logger, metrics }))
  url = await listen(gateway)
})
afterAll(() => {
  upstream.agent.destroy()
  gateway.close()
  behind.close()
})
beforeEach(() => {
  received = []
  identity = known
  route = lock
  cutOff = 0
  makeRoom = undefined
  kept = undefined
  body = '{}'
  refused = []
  Object.assign(config, longTimeouts)
})

const ask = (headers: Record<string, string> = {}) =>
  rawRequest(url, route.path, { method: route.method, headers })

describe('forwarding', () => {
  it('prefers a replica by the header that the contract names, which goes no further, and by no other', async () => {
    const preferences: unknown[] = []
    const acquire = jest.spyOn(upstream.bulkhead, 'acquire')
    const { method, path, access, service, summary, responses, errors } = lock
    const asked = { method, path, access, service, summary, responses, errors }
    for (const contract of [asked, { ...asked, replicaHeader: 'x-conversation-id' }]) {
      route = contract
      for (const value of ['one', 'a'.repeat(65)]) {
        expect(await ask({ 'x-conversation-id': value })).toMatchObject({ status: 200 })
        preferences.push(acquire.mock.lastCall?.[0].preference)
      }
    }
    expect(preferences).toEqual([undefined, undefined, 'one', undefined])
    for (const headers of received) expect(headers).not.toHaveProperty('x-conversation-id')
    acquire.mockRestore()
  })

  it('gives a webhook its signature and no cookie, and other routes no such header', async () => {
    const sent = { 'payments-signature': 's', 'x-other': 'o', cookie: 'sid=mine' }
    const { method, path, service, summary, responses, errors } = lock
    route = defineRoute({
      ...{ method, path, service, summary, responses, errors },
      access: 'webhook',
      signatureHeader: 'payments-signature',
    })
    expect(await ask(sent)).toMatchObject({ status: 200 })
    expect(received[0]).toMatchObject({ 'payments-signature': 's' })
    expect(received[0]).not.toHaveProperty('cookie')
    expect(received[0]).not.toHaveProperty('x-other')
    route = lock
    await ask(sent)
    expect(received[1]).not.toHaveProperty('payments-signature')
    expect(received[1]).toMatchObject({ cookie: 'sid=mine' })
  })

  it.each([
    [200, 0],
    [1000, 800],
  ])(
    'answers 503 at the deadline of %i ms that the route states, not at that of others',
    async (deadlineMs, atLeastMs) => {
      config.UPSTREAM_TIMEOUT_MS = 2000
      kept = []
      route = defineRoute({ ...lock, deadlineMs })
      const startedAt = performance.now()
      expect(await ask()).toMatchObject({ status: 503 })
      const tookMs = performance.now() - startedAt
      expect(tookMs).toBeGreaterThan(atLeastMs)
      expect(tookMs).toBeLessThan(1900)
    },
  )

  it('answers 500 when the headers of a request cannot be created, and serves the next one', async () => {
    identity = Object.defineProperty({ ...identity }, 'tokens', {
      get: () => {
        throw new Error('a fault of ours')
      },
    })
    expect(await ask()).toMatchObject({ status: 500, text: expect.stringContaining('internal_error') })
    identity = known
    expect(await ask()).toMatchObject({ status: 200 })
  }, 5000)

  it.each([{}, { expect: '100-continue' }])(
    'sends the caller’s token and own cookies to the service, and none of the identity headers a browser sent: %o',
    async (also) => {
      const claims = { authorization: 'Bearer forged', 'x-user-id': 'bob', 'x-forwarded-for': '203.0.113.7' }
      expect(await ask({ ...claims, ...also, cookie: 'sid=mine; csrf=c; other=x' })).toMatchObject({
        status: 200,
      })
      expect(received).toEqual([
        expect.objectContaining({ authorization: 'Bearer the-token', cookie: 'sid=mine' }),
      ])
      expect(received[0]).not.toHaveProperty('x-user-id')
      expect(received[0]?.['x-forwarded-for']).not.toContain('203.0.113.7')
    },
  )
})

describe('a forwarded request whose connection breaks', () => {
  it('is sent twice when it is a read, never three times', async () => {
    ;[route, cutOff] = [listConversations, 1]
    expect(await ask()).toMatchObject({ status: 200 })
    expect(received).toHaveLength(2)
    cutOff = 2
    expect(await ask()).toMatchObject({ status: 503 })
    expect(received).toHaveLength(4)
  })

  it('is sent once when it is a change', async () => {
    cutOff = 1
    expect(await ask()).toMatchObject({ status: 503, text: expect.stringContaining('unavailable') })
    expect(received).toHaveLength(1)
  })
})

it('answers with the refusal that ends a request while its service is asked, which it is asked once', async () => {
  const held: ServerResponse[] = (kept = [])
  route = listConversations
  const asked = ask()
  await eventually(() => expect(held).toHaveLength(1))
  current?.refuse?.(notUnlocked())
  expect(await asked).toMatchObject({ status: 423, text: expect.stringContaining('locked') })
  await eventually(() => expect(held[0]?.destroyed).toBe(true))
  expect(received).toHaveLength(1)
})

describe('a replica that takes two requests at a time', () => {
  const answer = (response: ServerResponse | undefined) =>
    response?.setHeader('content-type', 'application/json').end('{}')
  const arrived = (count: number) =>
    eventually(async () => {
      const open = await new Promise((resolve) => gateway.getConnections((_, number) => resolve(number)))
      expect(open).toBe(count)
    })

  it('gets the next request when one is answered, and none whose client disconnected in the queue', async () => {
    const inFlight: ServerResponse[] = (kept = [])
    const [first, second] = [ask(), ask()]
    await eventually(() => expect(inFlight).toHaveLength(2))
    const goingAway = new AbortController()
    const gone = fetch(url + route.path, { method: route.method, signal: goingAway.signal })
    await arrived(3)
    const third = ask()
    await arrived(4)
    goingAway.abort()
    await expect(gone).rejects.toThrow('aborted')
    await arrived(3)
    expect(received).toHaveLength(2)
    answer(inFlight[0])
    await eventually(() => expect(inFlight).toHaveLength(3))
    answer(inFlight[1])
    answer(inFlight[2])
    expect((await Promise.all([first, second, third])).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(received).toHaveLength(3)
  })

  it('has three more in its queue, and all others get 429 at once, with Retry-After where the route allows it', async () => {
    const inFlight: ServerResponse[] = (kept = [])
    const waiting = Array.from({ length: 5 }, () => ask())
    await arrived(5)
    await eventually(() => expect(unanswered).toBe(5))
    const { status, headers, text } = await ask()
    expect(status).toBe(429)
    expect(headers['retry-after']).toBe('1')
    expect(JSON.parse(text)).toMatchObject({ code: 'too_many_requests' })
    route = verifyNumericPassword
    const entry = await ask()
    expect(entry.status).toBe(429)
    expect(entry.headers['retry-after']).toBeUndefined()
    expect(refused).toEqual(['no-permit', 'no-permit'])
    for (let answered = 0; answered < 5; answered += 1)
      await eventually(() => expect(answer(inFlight[answered])).toBeDefined())
    expect((await Promise.all(waiting)).map((one) => one.status)).toEqual([200, 200, 200, 200, 200])
  })

  it('gets two requests again after two reads broke twice', async () => {
    ;[route, cutOff] = [listConversations, 4]
    expect((await Promise.all([ask(), ask()])).map(({ status }) => status)).toEqual([503, 503])
    expect((await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(received).toHaveLength(7)
  })

  it('gets the next request while the gateway still composes the last answer', async () => {
    const billing = Promise.withResolvers<never>()
    Object.assign(ctx, { entitlementOf: () => billing.promise, quotaOf: () => billing.promise })
    ;[route, body] = [getUser, JSON.stringify(sampleOf(account))]
    const asked = [ask(), ask(), ask()]
    await eventually(() => expect(received).toHaveLength(3))
    billing.reject(new Error('away'))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('makes room for a stream when the service has no free permit, and not before', async () => {
    const inFlight: ServerResponse[] = (kept = [])
    let made = 0
    makeRoom = () => {
      made += 1
      answer(inFlight[0])
    }
    const streams = [ask(), ask()]
    await eventually(() => expect(inFlight).toHaveLength(2))
    expect(made).toBe(0)
    streams.push(ask())
    await eventually(() => expect(inFlight).toHaveLength(3))
    expect(made).toBe(1)
    for (const response of inFlight.slice(1)) answer(response)
    expect((await Promise.all(streams)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('delays a request by two seconds in all when it hangs, and requests left in the queue get 429 with Retry-After', async () => {
    config.UPSTREAM_TIMEOUT_MS = 5000
    config.UPSTREAM_QUEUE_TIMEOUT_MS = 2500
    const inFlight: ServerResponse[] = (kept = [])
    const timed = async () => {
      const startedAt = performance.now()
      return { ...(await ask()), tookMs: performance.now() - startedAt }
    }
    const [first, second] = [timed(), timed()]
    await eventually(() => expect(inFlight).toHaveLength(2))
    const third = timed()
    await arrived(3)
    const fourth = timed()
    await arrived(4)
    await wait(1000)
    answer(inFlight[0])
    const ends = await Promise.all([first, second, third, fourth])
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 429, 503, 503])
    expect(ends[3]).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(refused).toEqual(['no-permit'])
    // It waited in the queue for one of its five seconds; with five more it would have taken six.
    expect(ends[2]?.tookMs).toBeLessThan(5900)
  }, 20_000)
})

describe('an upload', () => {
  it.each([putObject, putPart])('D-45: may stand still for 25 s by its contract: $path', ({ deadlineMs }) =>
    expect(deadlineMs).toBe(25_000),
  )

  it('D-45: ends once it has stood still for as long as its contract says, and not while bytes arrive', async () => {
    route = { ...putObject, deadlineMs: 1500 }
    config.UPSTREAM_TIMEOUT_MS = 2000
    kept = []
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    client.on('error', () => undefined).resume()
    const startedAt = performance.now()
    client.write(`PUT ${route.path} HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\nconnection: close\r\n\r\n`)
    for (let sent = 0; sent < 20; sent += 1) {
      client.write('x')
      await wait(100)
    }
    expect(unanswered).toBe(1)
    if (!client.closed) await once(client, 'close')
    expect(performance.now() - startedAt).toBeGreaterThan(3400)
    expect(unanswered).toBe(0)
  }, 20_000)
})

describe('a client that stops reading', () => {
  /** The kernel buffers less than this for a connection, so the rest waits in the service. */
  const size = 16_000_000
  /**
   * Requests a large answer and reads nothing. `readAll` reads until the answer or the connection ends, and returns the
   * length.
   */
  async function askAndPause() {
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    open.push(client)
    client.on('error', () => undefined).pause()
    client.write(`${route.method} ${route.path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
    const before = received.length
    await eventually(() => expect(received.length).toBeGreaterThan(before))
    return {
      readAll: async () => {
        let length = 0
        client.on('data', (chunk: Buffer) => {
          // The gateway keeps the connection open, so its end would come seconds later.
          if ((length += chunk.length) > size) client.destroy()
        })
        client.resume()
        if (!client.closed) await once(client, 'close')
        return length
      },
    }
  }
  const open: Socket[] = []
  afterEach(() => {
    for (const client of open.splice(0)) client.destroy()
  })
  beforeEach(() => {
    route = listConversations
    body = Buffer.alloc(size, 'x')
  })

  it('gets the whole answer later, after the time limit for its beginning', async () => {
    // The service has a second to begin its answer.
    config.UPSTREAM_TIMEOUT_MS = 1000
    const reader = await askAndPause()
    await wait(1500)
    expect(await reader.readAll()).toBeGreaterThan(size)
  }, 20_000)

  it('leaves the pipeline once its answer has begun', async () => {
    const { readAll } = await askAndPause()
    await eventually(() => expect(unanswered).toBe(0), { timeoutMs: 5000 })
    expect(await readAll()).toBeGreaterThan(size)
  }, 20_000)

  it('D-45: is disconnected from a download after 25 s, and from no other answer by the gateway', async () => {
    const connections: Socket[] = []
    const note = (socket: Socket) => void connections.push(socket)
    gateway.on('connection', note)
    await askAndPause()
    await eventually(() => expect(unanswered).toBe(0), { timeoutMs: 5000 })
    route = getObject
    await askAndPause()
    await eventually(() => expect(connections[1]?.timeout).toBe(stalledTransferMs))
    expect(connections[0]?.timeout).toBeUndefined()
    gateway.off('connection', note)
  }, 20_000)

  it('holds no permit of the service', async () => {
    const readers = [await askAndPause(), await askAndPause(), await askAndPause()]
    body = '{}'
    expect(await ask()).toMatchObject({ status: 200 })
    expect(readers).toHaveLength(3)
  }, 20_000)

  it('loses the oldest of seventeen unread answers, and no other client loses one', async () => {
    const pauseAs = async (userId: string) => {
      identity = { ...known, userId }
      const reader = await askAndPause()
      await eventually(() => expect(unanswered).toBe(0), { timeoutMs: 5000 })
      return reader
    }
    const readers = [await pauseAs('another person')]
    while (readers.length < 18) readers.push(await pauseAs('u'))
    const received = await Promise.all(readers.map(({ readAll }) => readAll()))
    const cutOffAt = received.flatMap((bytes, index) => (bytes < size ? [index] : []))
    expect(cutOffAt).toEqual([1])
  }, 30_000)
})
