import { allRoutes } from '@sumlock/contracts/all-routes'
import type { RouteName } from '@sumlock/contracts/all-routes'
import { logout } from '@sumlock/contracts/auth-routes'
import { lock } from '@sumlock/contracts/lock-routes'
import { errorBody } from '@sumlock/contracts/errors'
import type { ErrorCode } from '@sumlock/contracts/errors'
import { deleteConversation, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { RouteContract } from '@sumlock/contracts/route'
import { socketPath } from '@sumlock/contracts/socket'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { Stack } from '@sumlock/dev/product/services'
import { io } from 'socket.io-client'
import * as handshakes from '../kit/bad-input/bad-handshakes.ts'
import { badRequests } from '../kit/bad-input/bad-requests.ts'
import type { BadRequest, RouteCases } from '../kit/bad-input/bad-requests.ts'
import { goodSession } from '../kit/bad-input/good-session.ts'
import type { GoodSession, TimedAnswer } from '../kit/bad-input/good-session.ts'
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
let pids: (number | undefined)[]

beforeAll(async () => {
  stack = await startTestStack({ timeouts: 'default' })
  pids = stack.services.map(({ pid }) => pid)
  const people = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    registerPerson(stack),
    registerPerson(stack),
  ])
  const [, , newcomer, bystander] = people
  ;[person, friend] = people
  const admin = await adminPerson(stack)
  conversationId = (await befriend(person, friend)).id
  const { client } = person
  const clients = { session: client, unlocked: client, 'step-up': client, admin: admin.client }
  // Each caller is one step before the change, so that only the validation of the request prevents it.
  const clientFor = (name: RouteName, { access }: RouteContract) => {
    if (name === 'setupNumericPassword') return newcomer.client
    return access === 'public' || access === 'webhook'
      ? new Client({ gatewayUrl: stack.gatewayUrl })
      : clients[access]
  }
  sessions = new Map()
  cases = new Map()
  for (const [name, route] of routes) {
    const client = clientFor(name, route)
    const values = {
      conversationId,
      // They belong to a person without a session here, because a suspension would end it.
      userId: bystander.user.id,
      userCode: friend.user.userCode,
      numericPassword: person.pin,
      shareSecretId: stack.secrets.keyShareSecretId,
      ...(await prepareExample(name, client)),
    }
    const gatewaySecret = stack.secrets.internalSecrets.gateway
    cases.set(name, badRequests(route, { values, routes: Object.values(allRoutes), gatewaySecret }))
    sessions.set(name, await goodSession(client))
  }
  await settled(stack)
})
const opened: { close(): void }[] = []
afterAll(async () => {
  for (const connection of opened) connection.close()
  await stack?.stop()
})

/** Error codes that refer to the bad part; with any other code, a good request would have been refused, too. */
const foundBad: Record<string, readonly ErrorCode[]> = {
  body: [
    'invalid_request',
    'invalid_json',
    'unsupported_content_type',
    'body_too_large',
    'signature_invalid',
  ],
  target: [
    'invalid_request',
    'bad_path',
    'not_found',
    'conversation_not_found',
    'payment_not_found',
    'media_not_found',
  ],
  method: ['not_found', 'csrf_failed'],
  headers: ['csrf_failed', 'origin_refused', 'no_session'],
  sid: ['no_session'],
}

/** Without a session, the answer does not reveal whether a route is private or does not exist. */
const isAsSignedOut = (name: RouteName, { badPart }: BadRequest) =>
  ['public', 'webhook'].includes(allRoutes[name].access) && (badPart === 'target' || badPart === 'method')

/** Returns the fault of an answer; undefined for a right one. */
function faultOf(
  name: RouteName,
  request: BadRequest,
  { status, tookMs, text }: TimedAnswer,
): string | undefined {
  // No store is connected here, and the answer says so before the purchase is checked.
  if (status >= 500 && !text.includes('"store_unavailable"')) return `${status} ${text}`
  if (tookMs > bounds.answerMs) return `took ${tookMs.toFixed(0)} ms`
  if (request.expects === 'harmless') return undefined
  if (status < 400) return `${status} instead of a refusal: ${text.slice(0, 100)}`
  if (text === '') return undefined
  // A bad path may lead out of the API, where other bodies are allowed.
  if (request.badPart === 'target' && text === 'Not Found') return undefined
  const refusal = errorBody.safeParse(JSON.parse(text))
  if (!refusal.success) return `refused without a proper error body: ${text.slice(0, 100)}`
  if (refusal.data.code === 'no_session' && isAsSignedOut(name, request)) return undefined
  if (!foundBad[request.badPart]?.includes(refusal.data.code)) return `refused with ${refusal.data.code}`
  return undefined
}

/** Sends the chosen requests of every route, eight at a time; resolves with the faults of their answers. */
async function sendToAll(
  pick: (cases: RouteCases, route: number, name: RouteName) => readonly BadRequest[],
): Promise<string[]> {
  const faults: string[] = []
  for (const [index, [name, ofRoute]] of [...cases].entries()) {
    const send = sessions.get(name) as GoodSession
    const queue = pick(ofRoute, index, name).values()
    const work = async () => {
      for (const request of queue) {
        const fault = await send(request).then(
          (answer) => faultOf(name, request, answer),
          (error: unknown) => `no answer: ${String(error)}`,
        )
        if (fault) faults.push(`${name}, ${request.name}: ${fault}`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, work))
  }
  return faults
}

/** In the small size, each route gets a third of the cases about its own fields, and a ninth of the others. */
const everyNth = sized({ small: { field: 3, other: 9 }, full: { field: 1, other: 1 } })
const share = (some: readonly BadRequest[], route: number) =>
  some.filter(({ ofField }, at) => (at + route) % (ofField ? everyNth.field : everyNth.other) === 0)

/** Every read of an administrator is stored as an act, however odd the request was. */
const isAct = (name: RouteName, { expects }: BadRequest) =>
  expects === 'harmless' && allRoutes[name].access === 'admin'

it('refuses every bad request of every route and stores nothing', async () => {
  const before = await databaseSnapshot(stack)
  const pick = ({ bad }: RouteCases, route: number, name: RouteName) =>
    share(bad, route).filter((request) => !isAct(name, request))
  expect(await sendToAll(pick)).toEqual([])
  expect(await databaseSnapshot(stack)).toEqual(before)
})

it('sends bad requests to every route of the contracts', async () => {
  const metrics = await (await fetch(`${stack.service('gateway').internalUrl}/metrics`)).text()
  const visited = [...metrics.matchAll(/_count\{.*?route="(\/.*?)",method="([A-Z]+)"/g)].map(
    ([, path, method]) => `${method} ${path}`,
  )
  for (const [, { method, path }] of routes) expect(visited).toContain(`${method} ${path}`)
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

  /** Sends each message with and without asking for an acknowledgement; the returned list collects these. */
  async function sendClientMessages(): Promise<unknown[]> {
    const socket = io(stack.gatewayUrl, {
      path: socketPath,
      transports: ['websocket'],
      query: { userId: person.user.id },
      forceNew: true,
      reconnection: false,
      extraHeaders: headersOf(person),
    })
    opened.push(socket)
    await new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject))
    const answers: unknown[] = []
    for (const [name, ...content] of handshakes.clientMessages()) {
      socket.emit(name, ...content)
      socket.emit(name, ...content, (answer: unknown) => answers.push(answer))
    }
    return answers
  }

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
    const answers = await sendClientMessages()
    await Promise.all(
      Object.values(handshakes.badFrames).map((bytes) => shake(goodTarget(), headersOf(person), bytes)),
    )
    expect(await databaseSnapshot(stack)).toEqual(before)
    await person.client.ok(sendMessage, { body: { conversationId, content: 'still here' } })
    await eventually(() => expect(heard.map(({ type }) => type)).toContain('new_message'))
    // The message comes a second time when Redis took its hint but answered too late.
    const messages = new Map(
      heard.flatMap((event) => (event.type === 'new_message' ? [[event.data.id, event.data.content]] : [])),
    )
    expect([...messages.values()]).toEqual(['still here'])
    expect(heard.filter(({ type }) => !['status', 'new_message'].includes(type))).toEqual([])
    expect(live.state.connected).toBe(true)
    expect(answers).toEqual([])
  })
})

it('answers unusual requests that the contract allows', async () => {
  expect(await sendToAll(({ odd }, route) => share(odd, route))).toEqual([])
})

/** Routes whose example is refused here although it is well formed: nothing was paid, reported or uploaded, and no webhook has a secret. */
const neverGood: Partial<Record<RouteName, ErrorCode>> = {
  getPayment: 'payment_not_found',
  closeReport: 'not_found',
  putObject: 'invalid_request',
  getObject: 'media_not_found',
  putPart: 'invalid_request',
  listParts: 'media_not_found',
  signPart: 'media_not_found',
  completeMultipart: 'media_not_found',
  abortMultipart: 'media_not_found',
  registerMedia: 'media_not_found',
  stripeWebhook: 'signature_invalid',
  appStoreWebhook: 'signature_invalid',
  googlePlayWebhook: 'signature_invalid',
}

it('accepts the good request of every route, so that each bad one was refused for its bad part', async () => {
  const notTaken = [...Object.values(foundBad).flat(), 'locked'].filter((code) => code !== 'no_session')
  // A deleted conversation is not found; lock and logout end the session, so they come last.
  const ends: readonly RouteContract[] = [deleteConversation, lock, logout]
  const ordered = routes.toSorted(([, left], [, right]) => ends.indexOf(left) - ends.indexOf(right))
  const refused: string[] = []
  for (const [name] of ordered) {
    const { good } = cases.get(name) as RouteCases
    const { status, text } = await (sessions.get(name) as GoodSession)(good)
    const { code } = JSON.parse(text) as { code?: string }
    if (code !== undefined && code === neverGood[name]) continue
    if (notTaken.includes(code as ErrorCode) || status === 401) refused.push(`${name}: ${status} ${code}`)
  }
  expect(refused).toEqual([])
})

it('keeps every service process running', () => {
  expect(stack.services.map(({ pid, running }) => [pid, running])).toEqual(pids.map((pid) => [pid, true]))
})
