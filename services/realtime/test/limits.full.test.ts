import { randomBytes } from 'node:crypto'
import { login } from '@sumlock/contracts/auth-routes'
import { memberChannel, redisChannel, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import type { Stack } from '@sumlock/dev/product/services'
import { handshakeBytes } from '@sumlock/testing/bad-input/bad-handshakes'
import { rawExchange } from '@sumlock/testing/raw-exchange'
import { Client } from '@sumlock/deployment/api-client'
import { startTestStack } from '@sumlock/testing/engines'
import { unlock, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { scrape, sumOf } from '@sumlock/testing/scrape'
import { connect, nextState } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'
import { Redis } from 'ioredis'

let stack: Stack
let person: Person
const opened: { close(): void }[] = []

beforeAll(async () => {
  // This leaves time to connect to a draining process.
  stack = await startTestStack({
    replicas: { billing: 0, notify: 0 },
    env: { realtime: { DRAIN_DELAY_MS: '3000' } },
  })
  person = await unlockedPerson(stack)
})
afterEach(() => {
  for (const { close } of opened.splice(0)) close()
})
afterAll(async () => {
  await stack?.stop()
})

const servers = [
  ['through the gateway', () => stack.gatewayUrl],
  ['at realtime itself', () => stack.service('realtime').publicUrl],
] as const

const target = () => `/ws/?EIO=4&transport=websocket&userId=${person.user.id}`

async function shake(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const bytes = handshakeBytes(target(), headers)
  const { statuses } = await rawExchange(url, bytes, { withinMs: 5000, until: /^HTTP\/1.1 101/ })
  return statuses[0]
}

const connected = (from: Person) => {
  const live = connect(from)
  opened.push(live)
  return nextState(live, (state) => state.connected).then(() => live)
}

/** The same person, signed in and unlocked on another device. */
async function elsewhere(): Promise<Person> {
  const client = new Client(stack)
  const { username, password } = person
  const other = { ...person, client }
  await client.ok(login, { body: { username, password } })
  await unlock(other)
  return other
}

describe.each(servers)('an upgrade %s', (_which, url) => {
  it('is accepted from an unlocked session, with and without an Origin', async () => {
    const { origin, cookieHeader: cookie } = person.client
    expect(await shake(url(), { origin, cookie })).toBe(101)
    expect(await shake(url(), { cookie })).toBe(101)
  })

  it('is refused to 400 handshakes with invented cookies', async () => {
    const { origin } = person.client
    const invented = (index: number) =>
      index % 2 ? randomBytes(32).toString('base64url') : randomBytes(8).toString('hex')
    const statuses = await Promise.all(
      Array.from({ length: 400 }, (_, index) => shake(url(), { origin, cookie: `sid=${invented(index)}` })),
    )
    expect(new Set(statuses)).toEqual(new Set([401]))
    expect(sumOf(await scrape(stack.service('realtime')), 'sockets_open')).toBe(0)
  })

  it('is refused to another site with 403', async () => {
    const { cookieHeader: cookie } = person.client
    expect(await shake(url(), { origin: 'https://evil.example', cookie })).toBe(403)
  })
})

it('closes the oldest socket of a session when a ninth connects', async () => {
  const lives = []
  for (let count = 0; count < 8; count += 1) lives.push(await connected(person))
  expect(lives.map(({ state }) => state.connected)).toEqual(lives.map(() => true))
  const ninth = await connected(person)
  await nextState(lives[0] as (typeof lives)[0], (state) => !state.connected, 2000)
  expect(lives.slice(1).map(({ state }) => state.connected)).toEqual(lives.slice(1).map(() => true))
  expect(ninth.state.connected).toBe(true)
})

it('closes the oldest socket of a person when a 21st connects, whichever session it belongs to', async () => {
  const devices = [person, await elsewhere(), await elsewhere()]
  const lives = []
  for (let count = 0; count < 20; count += 1) lives.push(await connected(devices[count % 3] as Person))
  await connected(devices[2] as Person)
  await nextState(lives[0] as (typeof lives)[0], (state) => !state.connected, 2000)
  expect(lives.slice(1).map(({ state }) => state.connected)).toEqual(lives.slice(1).map(() => true))
})

it('realtime survives malformed payloads on every Redis channel, and counts them', async () => {
  const realtime = stack.service('realtime')
  const redis = new Redis(stack.addresses.redisUrl)
  const own = (channel: string) => redisChannel(stack.namespace, channel)
  const payloads = ['', 'null', '{', '{"type":5}', '[]', '\u0000', randomBytes(40).toString('latin1')]
  try {
    for (const payload of payloads) {
      await redis.publish(memberChannel(stack.namespace, person.user.id), payload)
      for (const channel of [sessionInvalidated.channel, 'socket.io#/#'])
        await redis.publish(own(channel), payload)
      for (const channel of ['socket.io-request#/#', 'socket.io-response#/#'])
        await redis.publish(own(channel), payload)
    }
  } finally {
    redis.disconnect()
  }
  await eventually(async () =>
    expect(sumOf(await scrape(realtime), 'redis_payloads_malformed_total')).toBeGreaterThanOrEqual(
      2 * payloads.length,
    ),
  )
  expect((await connected(person)).state.connected).toBe(true)
})

it('realtime answers 503 to every handshake while draining, and closes the open sockets', async () => {
  const { origin, cookieHeader: cookie } = person.client
  const realtime = stack.service('realtime')
  const live = await connected(person)
  const stopped = realtime.stop()
  await eventually(async () => {
    const { ok } = await fetch(`${realtime.internalUrl}/readyz`)
    expect(ok).toBe(false)
  })
  const statuses = []
  for (const [, url] of servers) statuses.push(await shake(url(), { origin, cookie }))
  expect(statuses).toEqual([503, 503])
  await nextState(live, (state) => !state.connected, 10_000)
  await stopped
})
