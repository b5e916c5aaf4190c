import { allRoutes } from '@sumlock/contracts/all-routes'
import type { RouteName } from '@sumlock/contracts/all-routes'
import { lock, logout } from '@sumlock/contracts/auth-routes'
import { errorBody } from '@sumlock/contracts/errors'
import type { ErrorCode } from '@sumlock/contracts/errors'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { Stack } from '@sumlock/dev/product/services'
import * as handshakes from '../kit/bad-input/bad-handshakes.ts'
import type { BadRequest } from '../kit/bad-input/bad-request.ts'
import { badRequests } from '../kit/bad-input/bad-requests.ts'
import type { RouteCases } from '../kit/bad-input/bad-requests.ts'
import { goodSession } from '../kit/bad-input/good-session.ts'
import type { GoodSession, TimedAnswer } from '../kit/bad-input/good-session.ts'
import { malformedRequests, slowRequests } from '../kit/bad-input/malformed-http.ts'
import { talkToServer } from '../kit/bad-input/talk-to-server.ts'
import { Client } from '@sumlock/deployment/api-client'
import { bounds } from '../kit/bounds.ts'
import { sized } from '../kit/config.ts'
import { databaseSnapshot, settled } from '../kit/database-snapshot.ts'
import { startTestStack } from '../kit/engines.ts'
import { prepareExample } from '../kit/example-calls.ts'
import { adminPerson, befriend, registerPerson, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { rawExchange } from '../kit/raw-exchange.ts'
import type { RawExchange } from '../kit/raw-exchange.ts'
import { connect, nextState } from '../kit/socket.ts'
import { eventually } from '../kit/wait.ts'

const routes = Object.entries(allRoutes) as [RouteName, RouteContract][]

let stack: Stack
let person: Person
let friend: Person
let conversationId: string
let sessions: Map<RouteName, GoodSession>
let cases: Map<RouteName, RouteCases>
let slow: Map<string, Promise<RawExchange>>
let pids: (number | undefined)[]

beforeAll(async () => {
  stack = await startTestStack({ timeouts: 'default' })
  pids = stack.services.map(({ pid }) => pid)
  // These last some seconds; they run beside the other tests.
  slow = new Map(
    Object.entries({ ...slowRequests, 'a connection without a request': { bytes: '', drip: [] } }).map(
      ([what, { bytes, drip }]) => [what, rawExchange(stack.gatewayUrl, bytes, { withinMs: 20_000, drip })],
    ),
  )
  const people = await Promise.all([unlockedPerson(stack), unlockedPerson(stack), registerPerson(stack)])
  const [, , newcomer] = people
  ;[person, friend] = people
  const admin = await adminPerson(stack)
  conversationId = (await befriend(person, friend)).id
  const clients = { session: person.client, unlocked: person.client, admin: admin.client }
  // Each caller is one step before the change, so that only the validation of the request prevents it.
  const clientFor = (name: RouteName, { access }: RouteContract) => {
    if (name === 'setupNumericPassword') return newcomer.client
    return access === 'public' ? new Client({ gatewayUrl: stack.gatewayUrl }) : clients[access]
  }
  sessions = new Map()
  cases = new Map()
  for (const [name, route] of routes) {
    const client = clientFor(name, route)
    const values = {
      conversationId,
      userId: person.user.id,
      userCode: friend.user.userCode,
      numericPassword: person.pin,
      ...(await prepareExample(name, client)),
    }
    const internalSecret = { caller: 'gateway', secret: stack.secrets.internalSecrets.gateway }
    cases.set(name, badRequests(route, { values, routes: routes.map(([, each]) => each), internalSecret }))
    sessions.set(name, await goodSession(client))
  }
  await settled(stack)
})
const opened: { close(): void }[] = []
afterAll(async () => {
  for (const { close } of opened) close()
  await stack?.stop()
})

/** Error codes that refer to the bad part; with any other code, a good request would have been refused, too. */
const foundBad: Record<string, readonly ErrorCode[]> = {
  body: ['invalid_request', 'invalid_json', 'unsupported_content_type', 'body_too_large'],
  target: ['invalid_request', 'bad_path', 'not_found', 'conversation_not_found'],
  method: ['not_found', 'csrf_failed'],
  headers: ['csrf_failed', 'origin_refused', 'no_session'],
  sid: ['no_session'],
}

/** The fault of an answer; undefined for a right one. */
function faultOf(request: BadRequest, { status, tookMs, text }: TimedAnswer): string | undefined {
  if (status >= 500) return `${status} ${text}`
  if (tookMs > bounds.answerMs) return `took ${tookMs.toFixed(0)} ms`
  if (request.expects === 'harmless') return undefined
  if (status < 400) return `${status} instead of a refusal: ${text.slice(0, 100)}`
  if (text === '') return undefined
  const refusal = errorBody.safeParse(JSON.parse(text))
  if (!refusal.success) return `refused without a proper error body: ${text.slice(0, 100)}`
  if (!foundBad[request.badPart]?.includes(refusal.data.code)) return `refused with ${refusal.data.code}`
  return undefined
}

async function sendAll(name: RouteName, requests: readonly BadRequest[]): Promise<string[]> {
  const session = sessions.get(name) as GoodSession
  const faults: string[] = []
  const queue = requests.values()
  const work = async () => {
    for (const request of queue) {
      const answer = await session.send(request).catch((error: unknown) => `no answer: ${String(error)}`)
      const fault = typeof answer === 'string' ? answer : faultOf(request, answer)
      if (fault) faults.push(`${name}, ${request.name}: ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return faults
}

async function sendToAll(
  pick: (cases: RouteCases, index: number) => readonly BadRequest[],
): Promise<string[]> {
  const faults: string[] = []
  let index = 0
  for (const [name, of] of cases) faults.push(...(await sendAll(name, pick(of, index++))))
  return faults
}

/** In the small size, each route gets a third of the cases that are not about its own fields. */
const everyThird = sized({ small: 3, full: 1 })
const share = ({ bad }: RouteCases, route: number) =>
  bad.filter(({ ofField }, at) => ofField || (at + route) % everyThird === 0)

it('refuses every bad request of every route and stores nothing', async () => {
  const before = await databaseSnapshot(stack)
  expect(await sendToAll(share)).toEqual([])
  expect(await databaseSnapshot(stack)).toEqual(before)
})

it('has called every route of the contracts', async () => {
  const metrics = await (await fetch(`${stack.service('gateway').internalUrl}/metrics`)).text()
  const visited = [...metrics.matchAll(/_count\{.*?route="(\/.*?)",method="([A-Z]+)"/g)].map(
    ([, path, method]) => `${method} ${path}`,
  )
  for (const [, { method, path }] of routes) expect(visited).toContain(`${method} ${path}`)
})

it('answers malformed HTTP at most once, never with a success, and closes the connection', async () => {
  const faults = await Promise.all(
    malformedRequests.map(async ({ name, bytes }) => {
      const { statuses, tookMs, closed } = await rawExchange(stack.gatewayUrl, bytes, {
        withinMs: bounds.answerMs + 500,
      })
      const isRight = statuses.length <= 1 && statuses.every((status) => status >= 400 && status < 500)
      return isRight && closed && tookMs < bounds.answerMs ? [] : [`${name}: ${closed} ${statuses.join()}`]
    }),
  )
  expect(faults.flat()).toEqual([])
})

describe('the socket', () => {
  const headersOf = ({ client }: Person) => ({ origin: client.origin, cookie: client.cookieHeader })
  const shake = (target: string, headers: Record<string, string>, also: Buffer = Buffer.alloc(0)) => {
    const bytes = Buffer.concat([
      Buffer.from(handshakes.handshakeBytes(target, headers)),
      handshakes.connectFrame,
      also,
    ])
    return rawExchange(stack.gatewayUrl, bytes, {
      withinMs: bounds.answerMs + 500,
      until: /44\{"message|40\{"sid.*42\[/s,
    })
  }
  const isConnected = ({ text }: RawExchange) => text.includes('40{"sid"')
  const goodTarget = () => `/ws/?EIO=4&transport=websocket&userId=${person.user.id}`

  it('refuses every bad handshake', async () => {
    expect(isConnected(await shake(goodTarget(), headersOf(person)))).toBe(true)
    const bad = handshakes.badHandshakes({ userId: person.user.id, conversationId })
    const faults = await Promise.all(
      bad.map(async ({ name, target, headers = {} }) => {
        const kept = Object.entries({ ...headersOf(person), ...headers }).filter(
          ([, value]) => value !== null,
        )
        const exchange = await shake(target, Object.fromEntries(kept))
        const isRight = !isConnected(exchange) && exchange.tookMs < bounds.answerMs
        return isRight ? [] : [`${name}: ${exchange.tookMs.toFixed(0)} ms ${exchange.text.slice(-80)}`]
      }),
    )
    expect(faults.flat()).toEqual([])
  })

  it('ignores all messages of clients, stores nothing, and still delivers new messages', async () => {
    await settled(stack)
    const before = await databaseSnapshot(stack)
    const live = connect(friend)
    const heard: ServerEvent[] = []
    opened.push(live)
    live.subscribe({ onEvent: (event) => void heard.push(event) })
    await nextState(live, ({ connected }) => connected)
    const talker = await talkToServer(person, handshakes.clientMessages())
    opened.push(talker)
    await Promise.all(
      Object.values(handshakes.badFrames).map((bytes) => shake(goodTarget(), headersOf(person), bytes)),
    )
    expect(await databaseSnapshot(stack)).toEqual(before)
    await person.client.ok(sendMessage, { body: { conversationId, content: 'still here' } })
    await eventually(() => expect(heard.map(({ type }) => type)).toContain('new_message'))
    expect(heard.filter(({ type }) => type !== 'status')).toEqual([
      expect.objectContaining({ data: expect.objectContaining({ content: 'still here' }) }),
    ])
    expect(live.state.connected).toBe(true)
    expect(talker.answers).toEqual([])
  })
})

it('answers unusual requests that the contract allows', async () => {
  expect(await sendToAll(({ odd }) => odd)).toEqual([])
})

it('accepts the good request of every route, so that each bad one was refused for its bad part', async () => {
  const notTaken = [...Object.values(foundBad).flat(), 'locked'].filter((code) => code !== 'no_session')
  // Lock and logout end the session, so they come last.
  const ends: readonly RouteContract[] = [lock, logout]
  const ordered = routes.toSorted(([, left], [, right]) => ends.indexOf(left) - ends.indexOf(right))
  for (const [name] of ordered) {
    const { good } = cases.get(name) as RouteCases
    const { status, text } = await (sessions.get(name) as GoodSession).send(good)
    const { code } = JSON.parse(text) as { code?: string }
    expect([name, status, notTaken.includes(code as ErrorCode) ? code : 'taken']).toEqual([
      name,
      status,
      'taken',
    ])
    expect([name, status]).not.toEqual([name, 401])
  }
})

it('closes the connection of a request that never ends', async () => {
  const lines: string[] = []
  for (const [what, exchange] of slow) {
    const { closed, tookMs, statuses } = await exchange
    lines.push(
      `  ${what}: answered ${statuses.join() || 'nothing'}, closed after ${(tookMs / 1000).toFixed(1)} s`,
    )
    expect([what, closed, statuses.filter((status) => status < 400 || status >= 500)]).toEqual([
      what,
      true,
      [],
    ])
    expect([what, tookMs < 12_500]).toEqual([what, true])
  }
  process.stdout.write(`${lines.join('\n')}\n`)
})

it('keeps every service process running', () => {
  expect(stack.services.map(({ pid, running }) => [pid, running])).toEqual(pids.map((pid) => [pid, true]))
})
