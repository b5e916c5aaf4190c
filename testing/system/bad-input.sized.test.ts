import { allRoutes } from '@sumlock/contracts/all-routes'
import { lock, logout, requestPhoneCode, verifyPhoneCode } from '@sumlock/contracts/auth-routes'
import { errorBody } from '@sumlock/contracts/errors'
import type { ErrorCode } from '@sumlock/contracts/errors'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { Stack } from '@sumlock/dev/product/services'
import * as handshakes from '../kit/bad-input/bad-handshakes.ts'
import { badRequests } from '../kit/bad-input/bad-requests.ts'
import type { BadRequest, RouteCases } from '../kit/bad-input/bad-requests.ts'
import { goodSession } from '../kit/bad-input/good-session.ts'
import type { GoodSession, TimedAnswer } from '../kit/bad-input/good-session.ts'
import { malformedRequests, slowRequests } from '../kit/bad-input/malformed-http.ts'
import { rawExchange } from '../kit/bad-input/raw-exchange.ts'
import type { RawExchange } from '../kit/bad-input/raw-exchange.ts'
import { talkToServer } from '../kit/bad-input/talk-to-server.ts'
import { Client } from '@sumlock/deployment/api-client'
import { bounds } from '../kit/bounds.ts'
import { sized } from '../kit/config.ts'
import { databaseSnapshot, settled } from '../kit/database-snapshot.ts'
import { startTestStack } from '../kit/engines.ts'
import { adminPerson, befriend, registerPerson, unlockedPerson } from '../kit/people.ts'
import type { Person } from '../kit/people.ts'
import { connect, nextState } from '../kit/socket.ts'
import { eventually } from '../kit/wait.ts'

type RouteName = keyof typeof allRoutes
const routes = Object.entries(allRoutes) as [RouteName, RouteContract][]
const provedPhone = '+15550009999'

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
  // They take their seconds while the others are at work.
  slow = new Map(
    Object.entries({ ...slowRequests, 'a connection without a word': { bytes: '', drip: [] } }).map(
      ([what, { bytes, drip }]) => [what, rawExchange(stack.gatewayUrl, bytes, { withinMs: 20_000, drip })],
    ),
  )
  const people = await Promise.all([unlockedPerson(stack), unlockedPerson(stack), registerPerson(stack)])
  const [, , newcomer] = people
  ;[person, friend] = people
  const admin = await adminPerson(stack)
  conversationId = (await befriend(person, friend)).id
  const visitor = new Client({ gatewayUrl: stack.gatewayUrl })
  const guest = await withProvedPhone(provedPhone)
  const byAccess = { public: visitor, session: person.client, unlocked: person.client, admin: admin.client }
  // Whoever stands right before the change, so that nothing but the validator keeps it from happening.
  const particular: Partial<Record<RouteName, Client>> = {
    register: guest,
    verifyPhoneCode: guest,
    setupNumericPassword: newcomer.client,
  }
  const knowledge = {
    known: { id: conversationId, conversationId, userId: person.user.id, userCode: friend.user.userCode },
    routes: routes.map(([, route]) => route),
    internalSecret: { caller: 'gateway', secret: stack.secrets.internalSecrets.gateway },
  }
  const knownPhone = { ...knowledge, known: { phone: provedPhone } }
  sessions = new Map()
  for (const [name, route] of routes)
    sessions.set(name, await goodSession(particular[name] ?? byAccess[route.access]))
  cases = new Map(
    routes.map(([name, route]) => [name, badRequests(route, name === 'register' ? knownPhone : knowledge)]),
  )
  await settled(stack)
})
const opened: { close(): void }[] = []
afterAll(async () => {
  for (const { close } of opened) close()
  await stack?.stop()
})

async function withProvedPhone(phone: string): Promise<Client> {
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  const { demoCode } = await client.ok(requestPhoneCode, { body: { phone } })
  await client.ok(verifyPhoneCode, { body: { code: demoCode ?? '' } })
  return client
}

/** Codes that say that the bad part was found; any other refusal would have come to a good request, too. */
const foundBad: Record<string, readonly ErrorCode[]> = {
  body: ['invalid_request', 'invalid_json', 'unsupported_content_type', 'body_too_large'],
  target: ['invalid_request', 'bad_path', 'not_found', 'conversation_not_found'],
  method: ['not_found', 'csrf_failed'],
  headers: ['csrf_failed', 'origin_refused', 'no_session'],
  sid: ['no_session'],
}

/** What is wrong with an answer; undefined when nothing is. */
function faultOf(request: BadRequest, { status, tookMs, text }: TimedAnswer): string | undefined {
  if (status >= 500) return `${status} ${text}`
  if (tookMs > bounds.answerMs) return `took ${tookMs.toFixed(0)} ms`
  if (request.expects === 'harmless') return undefined
  if (status < 400) return `${status}, although it has to be refused: ${text.slice(0, 100)}`
  if (text === '') return undefined
  const refusal = errorBody.safeParse(JSON.parse(text))
  if (!refusal.success) return `is refused with ${text.slice(0, 100)}`
  if (!foundBad[request.badPart]?.includes(refusal.data.code)) return `is refused for ${refusal.data.code}`
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

/** What has nothing to do with a field goes to each third route only, each time to others, unless there is time. */
const everyThird = sized({ small: 3, full: 1 })
const share = ({ bad }: RouteCases, route: number) =>
  bad.filter(({ ofField }, at) => ofField || (at + route) % everyThird === 0)

it('finds every bad request of every route, and stores nothing', async () => {
  const before = await databaseSnapshot(stack)
  expect(await sendToAll(share)).toEqual([])
  expect(await databaseSnapshot(stack)).toEqual(before)
})

it('was at every route of the contracts', async () => {
  const metrics = await (await fetch(`${stack.service('gateway').internalUrl}/metrics`)).text()
  const visited = [...metrics.matchAll(/_count\{.*?route="(\/.*?)",method="([A-Z]+)"/g)].map(
    ([, path, method]) => `${method} ${path}`,
  )
  for (const [, { method, path }] of routes) expect(visited).toContain(`${method} ${path}`)
})

it('gives one answer at most to what is no proper HTTP, none of them a success, and hangs up', async () => {
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

  it('is refused to every bad handshake', async () => {
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

  it('only listens: whatever a client says, nobody hears it, nothing is stored, and messages go on', async () => {
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
    expect([live.state.connected, talker.answers]).toEqual([true, []])
  })
})

it('answers what is odd, but allowed by the contract', async () => {
  expect(await sendToAll(({ odd }) => odd)).toEqual([])
})

it('would have taken each request, had it not been bad', async () => {
  const notTaken = [...Object.values(foundBad).flat(), 'locked'].filter((code) => code !== 'no_session')
  // The ones that end the session come last.
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

it('hangs up on who never comes to an end', async () => {
  const lines: string[] = []
  for (const [what, exchange] of slow) {
    const { closed, tookMs, statuses } = await exchange
    lines.push(`  ${what}: ${statuses.join() || 'nothing'} and the end after ${(tookMs / 1000).toFixed(1)} s`)
    expect([what, closed, statuses.filter((status) => status < 400 || status >= 500)]).toEqual([
      what,
      true,
      [],
    ])
    expect([what, tookMs < 12_500]).toEqual([what, true])
  }
  process.stdout.write(`${lines.join('\n')}\n`)
})

it('ended no process', () => {
  expect(stack.services.map(({ pid, running }) => [pid, running])).toEqual(pids.map((pid) => [pid, true]))
})
