import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import type { Context } from './context.ts'
import type { Identity } from './domain/identity.ts'
import type { RealtimeSocket } from './socket-server.ts'
import { watchSession } from './watch-session.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

/** A socket that is looked after, and what became of it. */
function watched(unlockedForMs: number, identify: () => Promise<Identity | null>, redis = 'ready') {
  const hints = Object.assign(new EventEmitter(), { status: redis })
  const socket = new EventEmitter()
  const seen = { closed: false, ended: 0 }
  Object.assign(socket, { disconnect: () => (seen.closed = true) })
  const identity = { sid: 's', userId: 'u', unlockedUntilMs: Date.now() + unlockedForMs }
  const ctx = { clock: { nowMs: () => Date.now() }, hints, identify } as unknown as Context
  watchSession(ctx, socket as unknown as RealtimeSocket, identity, 'cookie', () => (seen.ended += 1))
  return { seen, hints, socket }
}

const until = (unlockedUntilMs: number) => ({ sid: 's', userId: 'u', unlockedUntilMs })
const later = () => Promise.resolve(until(Date.now() + 3_600_000))
const away = () => Promise.reject(new Error('auth is away'))

describe('a socket', () => {
  it('is closed the moment the unlock ends, and its session’s others with it', async () => {
    const { seen } = watched(10_000, () => Promise.resolve(until(0)))
    await jest.advanceTimersByTimeAsync(9_990)
    expect(seen).toEqual({ closed: false, ended: 0 })
    await jest.advanceTimersByTimeAsync(20)
    expect(seen).toEqual({ closed: true, ended: 1 })
  })

  it('stays while activity moves the end', async () => {
    const { seen, socket } = watched(10_000, later)
    await jest.advanceTimersByTimeAsync(200_000)
    expect(seen.closed).toBe(false)
    socket.emit('disconnect')
    expect(jest.getTimerCount()).toBe(0)
  })

  it('is closed at the end that is known when nobody can say more', async () => {
    const { seen } = watched(70_000, away)
    await jest.advanceTimersByTimeAsync(65_000)
    expect(seen.closed).toBe(false)
    await jest.advanceTimersByTimeAsync(5_100)
    expect(seen.closed).toBe(true)
  })

  it('outlives a session that is gone by less than five seconds while Redis says nothing', async () => {
    const { seen } = watched(3_600_000, () => Promise.resolve(null), 'close')
    await jest.advanceTimersByTimeAsync(4_100)
    expect(seen).toEqual({ closed: true, ended: 1 })
  })

  it('is asked about sooner once Redis falls silent, however often that is said', async () => {
    const { seen, hints } = watched(3_600_000, () => Promise.resolve(null))
    hints.status = 'reconnecting'
    for (let said = 0; said < 4; said += 1) {
      hints.emit('close')
      await jest.advanceTimersByTimeAsync(1000)
    }
    await jest.advanceTimersByTimeAsync(600)
    expect(seen.closed).toBe(true)
  })
})
