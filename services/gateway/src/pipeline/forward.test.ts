import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { getUser, lock } from '@sumlock/contracts/auth-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import { account } from '@sumlock/contracts/user'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { createLogger } from '@sumlock/service-kit/logger'
import { createMetrics } from '@sumlock/service-kit/metrics'
import { sampleOf } from '@sumlock/testing/arbitrary-of'
import { rawRequest } from '@sumlock/testing/raw-request'
import { eventually } from '@sumlock/testing/wait'
import type { Context } from '../context.ts'
import type { Identity } from '../infrastructure/session-cache.ts'
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
let heard: IncomingHttpHeaders[] = []
const known: Identity = {
  ...{ token: 'the-token', sid: 's', userId: 'u', unlockedUntilMs: 0 },
  ...{ isAdmin: false, signedInAtMs: 0, expiresAtMs: Infinity },
}
let identity: Identity
let route: RouteContract
/** How many of the next requests are cut off without an answer. */
let cutOff = 0
/** While set, requests are not answered, but kept here. */
let kept: ServerResponse[] | undefined
/** The answer to all others. */
let says: string | Buffer = '{}'
const behind = createServer((request, response) => {
  heard.push(request.headers)
  if (kept) kept.push(response)
  else if (cutOff-- > 0) request.socket.resetAndDestroy()
  else response.setHeader('content-type', 'application/json').end(says)
})
/** Requests that count against what the gateway serves at once. */
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
  upstream = createUpstream([target], 2)
  const names = ['auth', 'messaging', 'billing', 'notify', 'realtime']
  const upstreams = Object.fromEntries(names.map((name) => [name, upstream]))
  const sessions = { forgetSession: () => undefined, forgetCookie: () => undefined }
  const counted = { ...metrics, refused: (reason: string) => refused.push(reason) }
  ctx = { config, logger, metrics: counted, sessions, upstreams } as never
  const app = createHttpApp({ logger, metrics })
  app.set('trust proxy', false)
  const enter = (request: UpstreamRequest) => {
    request.identity = identity
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
  heard = []
  identity = known
  route = lock
  cutOff = 0
  kept = undefined
  says = '{}'
  refused = []
  Object.assign(config, longTimeouts)
})

const ask = (headers: Record<string, string> = {}) =>
  rawRequest(url, route.path, { method: route.method, headers })

describe('the proxy', () => {
  it('answers 500 when the headers of a request cannot be made, and goes on with the next one', async () => {
    identity = Object.defineProperty({ ...identity }, 'token', {
      get: () => {
        throw new Error('a fault of ours')
      },
    })
    expect(await ask()).toMatchObject({ status: 500, text: expect.stringContaining('internal_error') })
    identity = known
    expect(await ask()).toMatchObject({ status: 200 })
  }, 5000)

  it.each([{}, { expect: '100-continue' }])(
    'tells a service who is calling, and nothing the browser claims about that: %o',
    async (also) => {
      const claims = { authorization: 'Bearer forged', 'x-user-id': 'bob', 'x-forwarded-for': '203.0.113.7' }
      expect(await ask({ ...claims, ...also, cookie: 'sid=mine; csrf=c; other=x' })).toMatchObject({
        status: 200,
      })
      expect(heard).toEqual([
        expect.objectContaining({ authorization: 'Bearer the-token', cookie: 'sid=mine' }),
      ])
      expect(heard[0]).not.toHaveProperty('x-user-id')
      expect(heard[0]?.['x-forwarded-for']).not.toContain('203.0.113.7')
    },
  )
})

describe('a request whose connection breaks', () => {
  it('is made a second time when it is a read, and not a third time', async () => {
    ;[route, cutOff] = [listConversations, 1]
    expect(await ask()).toMatchObject({ status: 200 })
    expect(heard).toHaveLength(2)
    cutOff = 2
    expect(await ask()).toMatchObject({ status: 503 })
    expect(heard).toHaveLength(4)
  })

  it('is never made a second time when it is a change', async () => {
    cutOff = 1
    expect(await ask()).toMatchObject({ status: 503, text: expect.stringContaining('unavailable') })
    expect(heard).toHaveLength(1)
  })
})

describe('a service with two places', () => {
  const answer = (response: ServerResponse | undefined) =>
    response?.setHeader('content-type', 'application/json').end('{}')
  const arrived = (count: number) =>
    eventually(async () => {
      const open = await new Promise((resolve) => gateway.getConnections((_, number) => resolve(number)))
      expect(open).toBe(count)
    })

  it('hears of the next request when one is answered, and of none whose sender went away', async () => {
    const underWay: ServerResponse[] = (kept = [])
    const [first, second] = [ask(), ask()]
    await eventually(() => expect(underWay).toHaveLength(2))
    const goingAway = new AbortController()
    const gone = fetch(url + route.path, { method: route.method, signal: goingAway.signal })
    await arrived(3)
    const third = ask()
    await arrived(4)
    goingAway.abort()
    await expect(gone).rejects.toThrow('aborted')
    await arrived(3)
    expect(heard).toHaveLength(2)
    answer(underWay[0])
    await eventually(() => expect(underWay).toHaveLength(3))
    answer(underWay[1])
    answer(underWay[2])
    expect((await Promise.all([first, second, third])).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(heard).toHaveLength(3)
  })

  it('has both again after reads that broke twice', async () => {
    ;[route, cutOff] = [listConversations, 4]
    expect((await Promise.all([ask(), ask()])).map(({ status }) => status)).toEqual([503, 503])
    expect((await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(heard).toHaveLength(7)
  })

  it('has them again once it has answered, whatever the gateway still does with the answer', async () => {
    const billing = Promise.withResolvers<never>()
    Object.assign(ctx, { entitlementOf: () => billing.promise, quotaOf: () => billing.promise })
    ;[route, says] = [getUser, JSON.stringify(sampleOf(account))]
    const asked = [ask(), ask(), ask()]
    await eventually(() => expect(heard).toHaveLength(3))
    billing.reject(new Error('away'))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('that hangs costs two seconds, the wait for a place included, and whoever finds none is told to come again', async () => {
    config.UPSTREAM_TIMEOUT_MS = 6000
    config.UPSTREAM_QUEUE_TIMEOUT_MS = 2100
    const underWay: ServerResponse[] = (kept = [])
    const timed = async () => {
      const startedAt = performance.now()
      return { ...(await ask()), tookMs: performance.now() - startedAt }
    }
    const [first, second] = [timed(), timed()]
    await eventually(() => expect(underWay).toHaveLength(2))
    const third = timed()
    await arrived(3)
    const fourth = timed()
    await arrived(4)
    await wait(1000)
    answer(underWay[0])
    const ends = await Promise.all([first, second, third, fourth])
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 429, 503, 503])
    expect(ends[3]).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
    expect(refused).toEqual(['no-permit'])
    // Of its six seconds it waited one for the place: with six after that it would have taken seven.
    expect(ends[2]?.tookMs).toBeLessThan(6600)
  }, 20_000)
})

describe('a reader that pauses', () => {
  /** More than the kernel keeps for a connection, so that the rest waits in the service. */
  const size = 16_000_000
  /** Asks for a large answer and reads nothing of it; `readAll` answers with how much came once it is read. */
  async function askAndPause() {
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    open.push(client)
    client.on('error', () => undefined).pause()
    client.write(`${route.method} ${route.path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
    const before = heard.length
    await eventually(() => expect(heard.length).toBeGreaterThan(before))
    return {
      readAll: async () => {
        let received = 0
        client.on('data', (chunk: Buffer) => (received += chunk.length)).resume()
        if (!client.closed) await once(client, 'close')
        return received
      },
    }
  }
  const open: Socket[] = []
  afterEach(() => {
    for (const client of open.splice(0)) client.destroy()
  })
  beforeEach(() => {
    route = listConversations
    says = 'x'.repeat(size)
  })

  it('gets the whole answer, although the service had to begin it in time', async () => {
    // The service has a second to answer.
    config.UPSTREAM_TIMEOUT_MS = 1000
    const reader = await askAndPause()
    await wait(1500)
    expect(await reader.readAll()).toBeGreaterThan(size)
  }, 20_000)

  it('counts as answered once the answer has begun', async () => {
    const { readAll } = await askAndPause()
    await eventually(() => expect(unanswered).toBe(0), { timeoutMs: 5000 })
    expect(await readAll()).toBeGreaterThan(size)
  }, 20_000)

  it('takes no share of what the service serves at once', async () => {
    const readers = [await askAndPause(), await askAndPause(), await askAndPause()]
    says = '{}'
    expect(await ask()).toMatchObject({ status: 200 })
    expect(readers).toHaveLength(3)
  }, 20_000)

  it('loses the oldest of seventeen answers it leaves unread, and nobody else does', async () => {
    // One buffer for all of them.
    says = Buffer.alloc(size, 'x')
    const pauseAs = async (userId: string) => {
      identity = { ...known, userId }
      const reader = await askAndPause()
      await eventually(() => expect(unanswered).toBe(0), { timeoutMs: 5000 })
      return reader
    }
    const readers = [await pauseAs('somebody else')]
    while (readers.length < 18) readers.push(await pauseAs('u'))
    const received = await Promise.all(readers.map(({ readAll }) => readAll()))
    const cutOffAt = received.flatMap((bytes, index) => (bytes < size ? [index] : []))
    expect(cutOffAt).toEqual([1])
  }, 30_000)
})
