import { allRoutes } from '@sumlock/contracts/all-routes'
import { requestPhoneCode, verifyPhoneCode } from '@sumlock/contracts/auth-routes'
import { errorBody } from '@sumlock/contracts/errors'
import type { RouteContract } from '@sumlock/contracts/route'
import type { Stack } from '@sumlock/stack/services'
import { badRequests } from '@sumlock/testing/bad-input/bad-requests'
import type { BadRequest, RouteCases } from '@sumlock/testing/bad-input/bad-requests'
import { goodSession } from '@sumlock/testing/bad-input/good-session'
import type { GoodSession, TimedAnswer } from '@sumlock/testing/bad-input/good-session'
import { Client } from '@sumlock/testing/client'
import { databaseSnapshot } from '@sumlock/testing/database-snapshot'
import { startTestStack } from '@sumlock/testing/engines'
import { untakenEvents } from '@sumlock/testing/events'
import { adminPerson, befriend, registerPerson, unlockedPerson } from '@sumlock/testing/people'
import { eventually } from '@sumlock/testing/wait'

type RouteName = keyof typeof allRoutes
const routes = Object.entries(allRoutes) as [RouteName, RouteContract][]

let stack: Stack
let sessions: Map<RouteName, GoodSession>
let cases: Map<RouteName, RouteCases>

beforeAll(async () => {
  stack = await startTestStack()
  const [person, friend, newcomer, admin] = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    registerPerson(stack),
    adminPerson(stack),
  ])
  const { id } = await befriend(person, friend)
  const visitor = new Client({ gatewayUrl: stack.gatewayUrl })
  const guest = await withProvedPhone('+15550009999')
  const known = { id, conversationId: id, userId: person.user.id, userCode: friend.user.userCode }
  const byAccess = { public: visitor, session: person.client, unlocked: person.client, admin: admin.client }
  // Whoever stands right before the change, so that nothing but the validator keeps it from happening.
  const particular: Partial<Record<RouteName, Client>> = {
    register: guest,
    verifyPhoneCode: guest,
    setupNumericPassword: newcomer.client,
  }
  sessions = new Map()
  cases = new Map()
  for (const [name, route] of routes) {
    sessions.set(name, await goodSession(particular[name] ?? byAccess[route.access]))
    const internalSecret = { caller: 'gateway', secret: stack.secrets.internalSecrets.gateway }
    const isRegister = name === 'register'
    cases.set(
      name,
      badRequests(route, {
        known: isRegister ? { phone: '+15550009999' } : known,
        routes: routes.map(([, contract]) => contract),
        internalSecret,
      }),
    )
  }
  await eventually(async () => expect(await untakenEvents(stack)).toBe(0))
})
afterAll(() => stack?.stop())

async function withProvedPhone(phone: string): Promise<Client> {
  const client = new Client({ gatewayUrl: stack.gatewayUrl })
  const { demoCode } = await client.ok(requestPhoneCode, { body: { phone } })
  await client.ok(verifyPhoneCode, { body: { code: demoCode ?? '' } })
  return client
}

/** What is wrong with an answer; undefined when nothing is. */
function faultOf({ expects }: BadRequest, { status, tookMs, text }: TimedAnswer): string | undefined {
  if (status >= 500) return `${status} ${text}`
  if (tookMs > 2000) return `took ${tookMs.toFixed(0)} ms`
  if (expects === 'harmless') return undefined
  if (status < 400) return `${status}, although it has to be refused: ${text.slice(0, 100)}`
  return undefined
}

async function sendAll(name: RouteName, requests: readonly BadRequest[]): Promise<string[]> {
  const session = sessions.get(name) as GoodSession
  const faults: string[] = []
  const queue = requests.values()
  const work = async () => {
    for (const request of queue) {
      const what = `${name}, ${request.name}`
      try {
        const fault = faultOf(request, await session.send(request))
        if (fault) faults.push(`${what}: ${fault}`)
      } catch (error) {
        faults.push(`${what}: ${String(error)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return faults
}

it('refuses every bad request of every route, and stores nothing', async () => {
  const before = await databaseSnapshot(stack)
  const faults: string[] = []
  for (const [name, { bad }] of cases) {
    const t = performance.now()
    faults.push(...(await sendAll(name, bad)))
    process.stdout.write(`  ${name}: ${bad.length} in ${(performance.now() - t).toFixed(0)}\n`)
  }
  expect(faults).toEqual([])
  expect(await databaseSnapshot(stack)).toEqual(before)
})

it('answers what is odd, but allowed', async () => {
  const faults: string[] = []
  for (const [name, { odd }] of cases) faults.push(...(await sendAll(name, odd)))
  expect(faults).toEqual([])
})
void errorBody
