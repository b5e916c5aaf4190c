import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Socket } from 'node:net'
import { lock } from '@sumlock/contracts/auth-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import { createHttpApp, finishApp } from '@sumlock/service-kit/http-app'
import { createLogger } from '@sumlock/service-kit/logger'
import { createMetrics } from '@sumlock/service-kit/metrics'
import { rawRequest } from '@sumlock/testing/raw-request'
import type { Context } from './context.ts'
import type { Identity } from './domain/session-cache.ts'
import { createTargets } from './domain/targets.ts'
import { createProxies, createSocketPipe } from './proxy.ts'
import { ReplicaAgent } from './replica-agent.ts'

const logger = createLogger({ service: 'gateway', instance: 'test', level: 'silent' })
const metrics = createMetrics('gateway')
let heard: IncomingHttpHeaders[] = []
let identity: Identity
let route: RouteContract
/** How many of the next requests are cut off without an answer. */
let cutOff = 0
const behind = createServer((request, response) => {
  heard.push(request.headers)
  if (cutOff-- > 0) request.socket.resetAndDestroy()
  else response.setHeader('content-type', 'application/json').end('{}')
})
let gateway: Server
let url: string
let ctx: Context
let agent: ReplicaAgent

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  const target = await listen(behind)
  const targets = createTargets([target])
  agent = new ReplicaAgent(targets)
  const names = ['auth', 'messaging', 'billing', 'notify', 'realtime']
  const backends = Object.fromEntries(names.map((name) => [name, { targets, agent }]))
  const config = { COOKIE_SECURE: false, PATIENCE: 10, AUTH_URL: [target], REALTIME_URL: [target] }
  const sessions = { forgetSession: () => undefined, forgetCookie: () => undefined }
  ctx = { config, logger, metrics, sessions, backends } as never
  const proxies = createProxies(ctx)
  const app = createHttpApp({ logger, metrics })
  app.set('trust proxy', false)
  app.use((request, response) => proxies.pass(request, response, { route, identity }))
  gateway = createServer(finishApp(app, { logger, metrics }))
  url = await listen(gateway)
})
afterAll(() => {
  agent.destroy()
  gateway.close()
  behind.close()
})
beforeEach(() => {
  heard = []
  identity = { token: 'the-token', sid: 's', userId: 'u', unlockedUntilMs: 0 }
  route = lock
  cutOff = 0
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
    identity = { token: 'the-token', sid: 's', userId: 'u', unlockedUntilMs: 0 }
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

describe('the socket pipe', () => {
  it('drops a handshake it cannot make headers for, and throws nothing', () => {
    const pipe = createSocketPipe(ctx)
    const socket = new Socket()
    const request = Object.defineProperty({ url: '/ws/', socket }, 'headers', {
      get: () => {
        throw new Error('a fault of ours')
      },
    })
    pipe.take(request as unknown as IncomingMessage, socket, Buffer.alloc(0))
    expect(socket.destroyed).toBe(true)
  })

  it.each(['/', '/ws2', '/api/user', '/ws/../api', 'http://elsewhere/ws/'])(
    'cuts off an upgrade to %s',
    (url) => {
      const pipe = createSocketPipe(ctx)
      const socket = new Socket()
      pipe.take({ url, socket, headers: {} } as unknown as IncomingMessage, socket, Buffer.alloc(0))
      expect(socket.destroyed).toBe(true)
    },
  )
})
