import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { SocketSession } from './domain/socket-session.ts'
import { createInvalidationLog } from './infrastructure/invalidation-log.ts'
import { createUpgradeGuard } from './upgrade-guard.ts'
import type { UpgradeContext, UpgradeGuard } from './upgrade-guard.ts'

const origin = 'https://calculator.example'
const known = 'k'.repeat(43)
const invented = `sid=${'x'.repeat(43)}`
const away = 'a'.repeat(43)
const identity: SocketSession = { sid: 's', userId: 'u', unlockedUntilMs: 1, askedAtMs: 1 }
const load = { isDraining: false, sockets: 0 }

let server: Server
let guard: UpgradeGuard
let asked: string[]
let reasons: string[]

beforeEach(async () => {
  Object.assign(load, { isDraining: false, sockets: 0 })
  asked = []
  reasons = []
  const ctx = {
    config: {
      PUBLIC_ORIGINS: [origin],
      COOKIE_SECURE: false,
      TRUSTED_HOPS: 1,
      SOCKETS_AT_MOST: 10,
    },
    clock: { nowMs: () => 0 },
    logger: { warn: () => undefined },
    invalidations: createInvalidationLog(),
    metrics: { handshakeRefusals: { inc: ({ reason }: { reason: string }) => reasons.push(reason) } },
    identify: (cookie: string) => {
      asked.push(cookie)
      if (cookie === away) return Promise.reject(new Error('auth is away'))
      return Promise.resolve(cookie === known ? identity : null)
    },
  } as unknown as UpgradeContext
  guard = createUpgradeGuard(
    ctx,
    { isDraining: () => load.isDraining, sockets: () => load.sockets },
    {
      unconfirmed: 5,
      perPerson: 25,
    },
  )
  server = createServer()
  // Engine.IO, too, upgrades a request that passes.
  server.on('upgrade', (request: IncomingMessage) =>
    guard.check(request, {}, () => {
      const { sid } = guard.of(request)?.identity ?? {}
      request.socket.end(`HTTP/1.1 101 Switching Protocols\r\nx-sid: ${sid}\r\n\r\n`)
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.close()
})

/** Status of an upgrade with these headers; null leaves one out. */
const shake = async (changes: Record<string, string | null> = {}): Promise<number> =>
  Number(/^HTTP\/1.1 (\d+)/.exec(await answerTo(changes))?.[1])

async function answerTo(changes: Record<string, string | null>): Promise<string> {
  const headers = { origin, cookie: `sid=${known}`, ...changes }
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  )
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const head = ['GET /ws/ HTTP/1.1', 'host: a', 'connection: upgrade', 'upgrade: websocket', ...lines, '\r\n']
  socket.write(head.join('\r\n'))
  let text = ''
  for await (const piece of socket) text += String(piece)
  return text
}

describe('an upgrade', () => {
  it('passes with the cookie of a session that auth knows, from our page or without an Origin', async () => {
    expect(await shake()).toBe(101)
    expect(await shake({ origin: null })).toBe(101)
  })

  it.each([
    ['from another site', 403, { origin: 'https://evil.example' }],
    ['from the null origin', 403, { origin: 'null' }],
    ['without a cookie', 401, { cookie: null }],
    ['with a cookie that is too short', 401, { cookie: `sid=${'k'.repeat(42)}` }],
    ['with a cookie that is too long', 401, { cookie: `sid=${'k'.repeat(44)}` }],
    ['with a cookie of foreign characters', 401, { cookie: `sid=${'k'.repeat(42)}!` }],
  ])('%s is answered %i, and auth is not asked', async (_which, status, changes) => {
    expect(await shake(changes)).toBe(status)
    expect(asked).toEqual([])
  })

  it('with an invented cookie of the right shape is answered 401', async () => {
    expect(await shake({ cookie: `sid=${'x'.repeat(43)}` })).toBe(401)
  })

  it('is answered 503 while auth does not answer', async () => {
    expect(await shake({ cookie: `sid=${away}` })).toBe(503)
  })

  it('beyond the limit of its address is answered 429; other addresses behind the same proxy are not affected', async () => {
    const from = (address: string) =>
      shake({ cookie: invented, 'x-forwarded-for': `203.0.113.9, ${address}` })
    const statuses = []
    for (let count = 0; count < 6; count += 1) statuses.push(await from('192.0.2.1'))
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect(await from('192.0.2.2')).toBe(401)
    expect(reasons.filter((reason) => reason !== 'session')).toEqual(['address'])
  })

  it('beyond the limit of an IPv6 network around its address is answered 429, which says when it ends', async () => {
    for (let count = 0; count < 20; count += 1)
      expect(
        await shake({ cookie: invented, 'x-forwarded-for': `2001:db8:7:12${10 + Math.floor(count / 5)}::1` }),
      ).toBe(401)
    const refused = await answerTo({ cookie: invented, 'x-forwarded-for': '2001:db8:7:12ff::1' })
    expect(refused).toContain('HTTP/1.1 429')
    expect(refused).toContain('\r\nretry-after: 10\r\n')
    expect(reasons.filter((reason) => reason !== 'session')).toEqual(['network'])
  })

  it('with a session that auth confirms uses up nothing of its address', async () => {
    for (let count = 0; count < 4; count += 1) expect(await shake({ cookie: invented })).toBe(401)
    for (let count = 0; count < 6; count += 1) expect(await shake()).toBe(101)
  })

  it('of a person beyond their limit is answered 429, which says when it ends', async () => {
    for (let count = 0; count < 25; count += 1) expect(await shake()).toBe(101)
    const refused = await answerTo({})
    expect(refused).toContain('HTTP/1.1 429')
    expect(refused).toContain('\r\nretry-after: 10\r\n')
    expect(reasons).toEqual(['person'])
  })

  it('without a cookie of the right shape does not count towards the limit of its address', async () => {
    for (let count = 0; count < 6; count += 1) expect(await shake({ cookie: 'sid=short' })).toBe(401)
    expect(await shake()).toBe(101)
  })

  it('to a process that is full is answered 503', async () => {
    load.sockets = 10
    expect(await shake()).toBe(503)
    load.sockets = 9
    expect(await shake()).toBe(101)
  })

  it('to a draining process is answered 503', async () => {
    load.isDraining = true
    expect(await shake()).toBe(503)
    expect(reasons).toEqual(['draining'])
  })
})
