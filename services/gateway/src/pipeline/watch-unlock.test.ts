import { EventEmitter } from 'node:events'
import { listUsers } from '@sumlock/contracts/admin-routes'
import { getUser } from '@sumlock/contracts/auth-routes'
import { exportMessages } from '@sumlock/contracts/export-routes'
import { getObject } from '@sumlock/contracts/media-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import type { AppError } from '@sumlock/service-kit/app-error'
import { jest } from '@jest/globals'
import type { GatewaySession } from '../infrastructure/session-cache.ts'
import type { UpstreamRequest } from './upstream-request.ts'
import { watchUnlock } from './watch-unlock.ts'

const clock = { nowMs: () => Date.now(), now: () => new Date() }
const identity: GatewaySession = {
  sid: 's',
  userId: 'u',
  tokens: { messaging: 't' },
  isAdmin: true,
  unlockedUntilMs: 60_000,
  passwordGivenAtMs: 0,
  expiresAtMs: 60_000,
}
const locked = { ...identity, unlockedUntilMs: 0 }

beforeEach(() => {
  jest.useFakeTimers({ now: 0 })
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  await jest.advanceTimersByTimeAsync(1000)
  expect(jest.getTimerCount()).toBe(0)
  jest.useRealTimers()
})
const ends: (() => void)[] = []

/** A stage before an auth with one session, and the requests that reached it. */
function setUp() {
  const auth = { found: identity as GatewaySession | null | Error, asked: 0 }
  const stage = watchUnlock({
    clock,
    sessions: {
      identify: () => {
        auth.asked += 1
        return auth.found instanceof Error ? Promise.reject(auth.found) : Promise.resolve(auth.found)
      },
    },
  })
  const begin = (route: UpstreamRequest['route'], status: number | null = 200) => {
    const state = { isBroken: false, refusedWith: undefined as string | undefined }
    const response = Object.assign(new EventEmitter(), { destroy: () => (state.isBroken = true) })
    const upstream = {
      route,
      identity,
      response,
      request: { destroy: () => undefined },
      refuse: ({ code }: AppError) => void (state.refusedWith = code),
      upstreamStatus: status ?? undefined,
      isAbandoned: false,
    }
    void stage(upstream as unknown as UpstreamRequest)
    const end = () => void response.emit('close')
    ends.push(end)
    return Object.assign(state, { upstream, end })
  }
  return { auth, begin, pass: (ms: number) => jest.advanceTimersByTimeAsync(ms) }
}

it.each<[string, GatewaySession | null | Error]>([
  ['was locked', locked],
  ['ended', null],
  ['belongs to another sign-in', { ...identity, sid: 'other' }],
  ['cannot be asked about', new Error('auth is away')],
])('breaks off what lasts within a second once its session %s', async (_how, later) => {
  const { auth, begin, pass } = setUp()
  const answers = [getObject, exportMessages, listUsers].map((route) => begin(route))
  await pass(5000)
  expect(answers.some(({ isBroken }) => isBroken)).toBe(false)
  auth.found = later
  await pass(1000)
  expect(answers.every(({ isBroken }) => isBroken)).toBe(true)
})

it.each<[string, GatewaySession | null | Error, string]>([
  ['was locked', locked, 'locked'],
  ['ended', null, 'no_session'],
  ['cannot be asked about', new Error('auth is away'), 'unavailable'],
])('refuses what has no answer yet once its session %s', async (_how, later, code) => {
  const { auth, begin, pass } = setUp()
  auth.found = later
  const waiting = begin(exportMessages, null)
  await pass(1500)
  expect(waiting).toMatchObject({ refusedWith: code, isBroken: false })
})

it('breaks off a stream that is locked as it begins within a second, and an ordinary answer within one and a half', async () => {
  const { auth, begin, pass } = setUp()
  auth.found = locked
  const [stream, ordinary] = [begin(getObject), begin(exportMessages)]
  await pass(999)
  expect(stream.isBroken).toBe(true)
  expect(ordinary.isBroken).toBe(false)
  await pass(501)
  expect(ordinary.isBroken).toBe(true)
})

it('does not check answers that end within a second', async () => {
  const { auth, begin, pass } = setUp()
  for (let count = 0; count < 20; count += 1) {
    const answer = begin(listConversations)
    await pass(900)
    answer.end()
  }
  expect(auth.asked).toBe(0)
})

it('leaves answers alone that need no unlock', async () => {
  const { auth, begin, pass } = setUp()
  auth.found = locked
  const answer = begin(getUser)
  await pass(5000)
  expect(answer.isBroken).toBe(false)
})

it('needs one timer for a thousand answers, and none without answers', async () => {
  const { begin, pass } = setUp()
  const answers = Array.from({ length: 1000 }, () => begin(listConversations))
  expect(jest.getTimerCount()).toBe(1)
  for (const { end } of answers) end()
  await pass(1000)
  expect(jest.getTimerCount()).toBe(0)
})

it('forgets an answer whose connection broke while it was queued behind others', async () => {
  const { auth, begin, pass } = setUp()
  begin(listConversations).upstream.isAbandoned = true
  await pass(5000)
  expect(auth.asked).toBe(0)
  expect(jest.getTimerCount()).toBe(0)
})
