import { jest } from '@jest/globals'
import { createLogger } from '@sumlock/service-kit/logger'
import { followSessionChanges } from '@sumlock/service-kit/session-changes'
import type { SessionFollower } from '@sumlock/service-kit/session-changes'
import { createSessionCache } from './session-cache.ts'
import type { GatewaySession } from './session-cache.ts'

const clock = { nowMs: () => Date.now(), now: () => new Date() }
const logger = createLogger({ service: 't', instance: 't', level: 'silent' })
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms)
/** An isolated primary answers reads for this long. */
const cutOffForMs = 10_000

let follower: SessionFollower | undefined
beforeEach(() => void jest.useFakeTimers({ now: 0 }))
afterEach(() => {
  follower?.stop()
  jest.useRealTimers()
})

/** Busy sessions, and replicas of auth, one of which reads an isolated primary. */
function setUp() {
  const lockedAtMs = new Map<string, number>()
  let exchanges = 0
  const exchange = (cookie: string): Promise<GatewaySession> => {
    exchanges += 1
    const isLocked = Date.now() - (lockedAtMs.get(cookie) ?? Infinity) >= cutOffForMs
    return Promise.resolve({
      tokens: { messaging: 't' },
      sid: cookie,
      userId: 'u',
      isAdmin: false,
      passwordGivenAtMs: 0,
      expiresAtMs: Infinity,
      unlockedUntilMs: isLocked ? 0 : Infinity,
    })
  }
  follower = followSessionChanges({
    ask: () =>
      Promise.resolve({
        changed: [...lockedAtMs]
          .filter(([, changedAtMs]) => Date.now() - changedAtMs < 30_000)
          .map(([sid, changedAtMs]) => ({ sid, changedAtMs })),
        cursor: String(Date.now()),
        reset: false,
      }),
    onChanged: (sids) => {
      for (const sid of sids) cache.forgetSession(sid)
    },
    onReset: () => undefined,
    clock,
    logger,
  })
  const cache = createSessionCache(exchange, clock, { isFollowing: () => true, random: () => 1 })
  return { cache, lock: (sid: string) => lockedAtMs.set(sid, Date.now()), exchanges: () => exchanges }
}

it('a lock that auth listed while exchanges read a primary that was cut off holds two seconds after its last answer', async () => {
  const { cache, lock } = setUp()
  await cache.identify('s')
  await pass(500)
  lock('s')
  await pass(2000)
  // The exchange that follows reads the old primary.
  expect((await cache.identify('s'))!.unlockedUntilMs).toBe(Infinity)
  for (let halfSecond = 0; halfSecond < 20; halfSecond += 1) {
    await pass(500)
    await cache.identify('s')
  }
  expect((await cache.identify('s'))!.unlockedUntilMs).toBe(0)
})

it('a locked session that stays in use costs eight exchanges at most, and the others none', async () => {
  const { cache, lock, exchanges } = setUp()
  const all = () => Promise.all(Array.from({ length: 20 }, (_, number) => cache.identify(`s${number}`)))
  await all()
  await pass(500)
  lock('s0')
  const before = exchanges()
  for (let tenth = 0; tenth < 250; tenth += 1) {
    await pass(100)
    await all()
  }
  expect(exchanges() - before).toBeLessThanOrEqual(8)
})
