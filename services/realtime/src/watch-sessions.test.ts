import { jest } from '@jest/globals'
import type { SocketSession } from './domain/socket-session.ts'
import { createOpenSessions } from './infrastructure/open-sessions.ts'
import { maxConcurrentChecks, watchSessions } from './watch-sessions.ts'
import type { SessionWatch } from './watch-sessions.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  for (const watch of watches.splice(0)) watch.stop()
  jest.useRealTimers()
})

const watches: SessionWatch[] = []
const hour = 3_600_000
const open = (sid: string, unlockedUntilMs: number): SocketSession => ({
  sid,
  userId: `u${sid}`,
  unlockedUntilMs,
  askedAtMs: Date.now(),
})
const away = () => Promise.reject(new Error('auth is away'))

/** Sessions with one socket each, and a record of how they ended. */
function watched(
  identities: readonly SocketSession[],
  identify: (sid: string) => Promise<SocketSession | null>,
  isSilent = () => false,
  isInDoubt = isSilent,
) {
  const sessions = createOpenSessions<string>()
  for (const identity of identities) sessions.add(identity, identity.sid, 'socket')
  const seen = {
    asked: [] as string[],
    ended: [] as string[],
    unconfirmed: [] as string[],
    inFlight: 0,
    mostInFlight: 0,
  }
  const clock = { nowMs: () => Date.now(), now: () => new Date() }
  const watch = watchSessions({
    ctx: {
      clock,
      identify: async (cookie) => {
        seen.asked.push(cookie)
        seen.inFlight += 1
        seen.mostInFlight = Math.max(seen.mostInFlight, seen.inFlight)
        return identify(cookie).finally(() => (seen.inFlight -= 1))
      },
    },
    sessions,
    lockSources: { isSilent, isInDoubt },
    onEnd(sid) {
      seen.ended.push(sid)
      sessions.remove(sid, 'socket')
    },
    onUnconfirmed(sid) {
      seen.unconfirmed.push(sid)
      sessions.remove(sid, 'socket')
    },
  })
  watches.push(watch)
  return { seen, watch, sessions }
}

describe('a session with open sockets', () => {
  it('ends within half a second of the end of its unlock', async () => {
    const end = Date.now() + 10_000
    const { seen } = watched([open('s', end)], () => Promise.resolve(open('s', end)))
    await jest.advanceTimersByTimeAsync(9_990)
    expect(seen).toMatchObject({ asked: ['s'], ended: [] })
    await jest.advanceTimersByTimeAsync(500)
    expect(seen).toMatchObject({ asked: ['s', 's'], ended: ['s'] })
  })

  it('stays open while activity moves the end, with about one request to auth per minute', async () => {
    const { seen } = watched([open('s', Date.now() + 10_000)], () =>
      Promise.resolve(open('s', Date.now() + 60_000)),
    )
    await jest.advanceTimersByTimeAsync(200_000)
    expect(seen.ended).toEqual([])
    expect(seen.asked).toHaveLength(4)
  })

  it('ends five seconds after the known end of its unlock when auth does not answer', async () => {
    const { seen } = watched([open('s', Date.now() + 70_000)], away)
    await jest.advanceTimersByTimeAsync(74_900)
    expect(seen.ended).toEqual([])
    await jest.advanceTimersByTimeAsync(500)
    expect(seen.ended).toEqual(['s'])
  })

  it('stays open when auth answers two seconds after an end that activity has moved', async () => {
    const end = Date.now() + 10_000
    const { seen } = watched([open('s', end)], () =>
      Date.now() < end + 2000 ? away() : Promise.resolve(open('s', end + hour)),
    )
    await jest.advanceTimersByTimeAsync(30_000)
    expect(seen.ended).toEqual([])
  })

  it('stays open during an outage of auth when activity had moved the end a minute before', async () => {
    const end = Date.now() + 300_000
    const { seen } = watched([open('s', end)], () =>
      Date.now() < end - 10_000 ? Promise.resolve(open('s', end + hour)) : away(),
    )
    await jest.advanceTimersByTimeAsync(320_000)
    expect(seen).toMatchObject({ asked: ['s'], ended: [] })
  })

  it('ends five seconds after the known end of its unlock when auth hangs', async () => {
    const { seen } = watched([open('s', Date.now() + 1000)], () => new Promise(() => undefined))
    await jest.advanceTimersByTimeAsync(5_900)
    expect(seen.ended).toEqual([])
    await jest.advanceTimersByTimeAsync(500)
    expect(seen.ended).toEqual(['s'])
  })

  it('that changed ends when auth reports it as locked, and stays open when it was unlocked again', async () => {
    const { seen, watch } = watched(
      [open('locked', hour + Date.now()), open('open', hour + Date.now())],
      (sid) => Promise.resolve(open(sid, sid === 'open' ? Date.now() + hour : 0)),
    )
    watch.recheck(['locked', 'open', 'elsewhere'])
    await jest.advanceTimersByTimeAsync(0)
    expect(seen).toMatchObject({ asked: ['locked', 'open'], ended: ['locked'] })
  })

  it('that changed is checked again once a second until auth answers', async () => {
    let answers = away as () => Promise<SocketSession | null>
    const { seen, watch } = watched([open('s', Date.now() + hour)], () => answers())
    watch.recheck(['s'])
    await jest.advanceTimersByTimeAsync(3000)
    expect(seen.ended).toEqual([])
    expect(seen.asked.length).toBeLessThanOrEqual(4)
    answers = () => Promise.resolve(null)
    await jest.advanceTimersByTimeAsync(1500)
    expect(seen.ended).toEqual(['s'])
  })

  it('that changed is checked again exactly one second after auth did not answer', async () => {
    const { seen, watch } = watched([open('s', Date.now() + hour)], away)
    watch.recheck(['s'])
    await jest.advanceTimersByTimeAsync(999)
    expect(seen.asked).toHaveLength(1)
    await jest.advanceTimersByTimeAsync(1)
    expect(seen.asked).toHaveLength(2)
  })

  it('is checked every two seconds while no source reports changes, and ends when it is locked', async () => {
    let isRevoked = false
    const { seen } = watched(
      [open('s', Date.now() + hour)],
      () => Promise.resolve(isRevoked ? null : open('s', Date.now() + hour)),
      () => true,
    )
    await jest.advanceTimersByTimeAsync(20_000)
    expect(seen.unconfirmed).toEqual([])
    expect(seen.asked.length).toBeGreaterThanOrEqual(9)
    isRevoked = true
    await jest.advanceTimersByTimeAsync(2500)
    expect(seen).toMatchObject({ ended: ['s'], unconfirmed: [] })
  })

  it.each([
    ['refuses every connection', away],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])(
    'is closed unconfirmed four seconds after its answer while no source reports changes and auth %s',
    async (_how, identify) => {
      const { seen } = watched([open('s', Date.now() + hour)], identify, () => true)
      await jest.advanceTimersByTimeAsync(3900)
      expect(seen.unconfirmed).toEqual([])
      await jest.advanceTimersByTimeAsync(500)
      expect(seen).toMatchObject({ unconfirmed: ['s'], ended: [] })
    },
  )

  it('stays open while Redis reports changes, however long auth does not answer', async () => {
    const { seen } = watched([open('s', Date.now() + hour)], away)
    await jest.advanceTimersByTimeAsync(600_000)
    expect(seen).toMatchObject({ unconfirmed: [], ended: [] })
  })

  it('that changed is closed unconfirmed when auth hangs for four seconds after it listed the change', async () => {
    let answers: () => Promise<SocketSession | null> = () => new Promise(() => undefined)
    const { seen, watch } = watched([open('s', Date.now() + hour), open('t', Date.now() + hour)], () =>
      answers(),
    )
    await jest.advanceTimersByTimeAsync(10_000)
    watch.recheck(['s'])
    await jest.advanceTimersByTimeAsync(3000)
    answers = () => Promise.resolve(open('t', Date.now() + hour))
    watch.recheck(['t', 's'])
    await jest.advanceTimersByTimeAsync(60_000)
    expect(seen.unconfirmed).toEqual(['s'])
  })
})

describe('two thousand sessions', () => {
  const many = (unlockedUntilMs: number) =>
    Array.from({ length: 2000 }, (_, index) => open(`s${index}`, unlockedUntilMs))
  const inTenMs = (sid: string) =>
    new Promise<SocketSession>((resolve) => setTimeout(() => resolve(open(sid, Date.now() + hour)), 10))

  it('cause no request to auth before their unlocks end', async () => {
    const { seen } = watched(many(Date.now() + hour), inTenMs)
    await jest.advanceTimersByTimeAsync(120_000)
    expect(seen.asked).toEqual([])
  })

  it.each([
    ['whose unlocks end in the same instant', 1000, false],
    ['that may all have changed', hour, true],
  ])('%s are checked a few at a time, each once', async (_which, unlockedForMs, isReset) => {
    const { seen, watch } = watched(many(Date.now() + unlockedForMs), inTenMs)
    if (isReset) watch.recheckAll()
    await jest.advanceTimersByTimeAsync(4000)
    expect(seen.mostInFlight).toBe(maxConcurrentChecks)
    expect(seen.asked).toHaveLength(2000)
    expect(new Set(seen.asked).size).toBe(2000)
    expect(seen.ended).toEqual([])
  })

  it('need one timer', () => {
    watched(many(Date.now() + hour), inTenMs)
    expect(jest.getTimerCount()).toBe(1)
  })
})
