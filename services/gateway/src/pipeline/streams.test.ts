import { getObject } from '@sumlock/contracts/media-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import { jest } from '@jest/globals'
import type { Identity } from '../infrastructure/session-cache.ts'
import { watchStreams } from './streams.ts'
import type { UpstreamRequest } from './upstream-request.ts'

const nowMs = 1_000_000
const clock = { nowMs: () => nowMs, now: () => new Date(nowMs) }
const identity = { sid: 's', userId: 'u', unlockedUntilMs: nowMs + 60_000 } as Identity

function streamOf(userId: string, route: UpstreamRequest['route'] = getObject) {
  const releases: (() => void)[] = []
  let isBroken = false
  const destroy = () => (isBroken = true)
  const upstream = {
    route,
    request: { destroy },
    response: { destroy, set: () => undefined },
    sessionCookie: 'cookie',
    identity: { ...identity, userId },
    defer: (release: () => void) => releases.push(release),
  } as unknown as UpstreamRequest
  return {
    upstream,
    isBroken: () => isBroken,
    end: () => releases.forEach((release) => release()),
  }
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

it.each<[string, Identity | null | Error]>([
  ['was locked', { ...identity, unlockedUntilMs: 0 }],
  ['ended', null],
  ['belongs to another sign-in', { ...identity, sid: 'other' }],
  ['cannot be asked about', new Error('auth is away')],
])('breaks off a stream within a second once its session %s', async (_how, later) => {
  let found: Identity | null | Error = identity
  const identify = () => (found instanceof Error ? Promise.reject(found) : Promise.resolve(found))
  const { upstream, isBroken, end } = streamOf('u')
  watchStreams({ identify }, clock)(upstream)
  await jest.advanceTimersByTimeAsync(5000)
  expect(isBroken()).toBe(false)
  found = later
  await jest.advanceTimersByTimeAsync(1000)
  expect(isBroken()).toBe(true)
  end()
})

it('asks no more once the stream has ended', async () => {
  const identify = jest.fn(() => Promise.resolve(identity))
  const { upstream, end } = streamOf('u')
  watchStreams({ identify }, clock)(upstream)
  end()
  await jest.advanceTimersByTimeAsync(5000)
  expect(identify).not.toHaveBeenCalled()
})

it('leaves other requests alone', async () => {
  const identify = jest.fn(() => Promise.resolve(null))
  const { upstream, isBroken } = streamOf('u', listConversations)
  watchStreams({ identify }, clock)(upstream)
  await jest.advanceTimersByTimeAsync(5000)
  expect(isBroken()).toBe(false)
})
