import { setImmediate } from 'node:timers/promises'
import { AppError } from '@sumlock/service-kit/app-error'
import { seededRandom } from '@sumlock/testing/faults/seeded-random'
import { createSessionCache } from './session-cache.ts'
import type { GatewaySession } from './session-cache.ts'

const tokenLifeMs = 60_000
const stepsPerSecond = 10

/** A cache with a fake clock. Its auth returns the same token until half of the token's life is over. */
function setUp({ random = () => 1 }: { random?: () => number } = {}) {
  let nowMs = 0
  const auth = { isAway: false, isFollowed: true, askedAtMs: [] as number[], revoked: new Set<string>() }
  const expiryOf = new Map<string, number>()
  const exchange = (cookie: string): Promise<GatewaySession> => {
    auth.askedAtMs.push(nowMs)
    if (auth.isAway) return Promise.reject(new AppError('unavailable', 'unavailable', 'x'))
    if (auth.revoked.has(cookie)) return Promise.reject(new AppError('unauthenticated', 'no_session', 'x'))
    const known = expiryOf.get(cookie) ?? 0
    const expiresAtMs = known - nowMs > tokenLifeMs / 2 ? known : nowMs + tokenLifeMs
    expiryOf.set(cookie, expiresAtMs)
    return Promise.resolve({
      sid: cookie,
      userId: cookie,
      tokens: { messaging: `t${nowMs}` },
      expiresAtMs,
    } as GatewaySession)
  }
  const lookups = { hit: 0, miss: 0, joined: 0 }
  const cache = createSessionCache(
    exchange,
    { nowMs: () => nowMs, now: () => new Date(nowMs) },
    { isFollowing: () => auth.isFollowed, onLookup: (lookup) => (lookups[lookup] += 1), random },
  )
  /** Moves the clock on and lets answers arrive. */
  const pass = async (ms: number) => {
    await setImmediate()
    nowMs += ms
    await setImmediate()
  }
  return { cache, auth, lookups, pass }
}

/** Counts the calls to auth in each second. All sessions start in the first second and send one request in each. */
async function exchangesPerSecond(count: number, seconds: number, seed: number): Promise<number[]> {
  const { cache, auth, pass } = setUp({ random: seededRandom(seed) })
  for (let step = 0; step < seconds * stepsPerSecond; step += 1) {
    for (let number = step % stepsPerSecond; number < count; number += stepsPerSecond)
      void cache.identify(`c${number}`)
    await pass(1000 / stepsPerSecond)
  }
  const perSecond = Array.from({ length: seconds }, () => 0)
  for (const atMs of auth.askedAtMs) perSecond[Math.floor(atMs / 1000)]! += 1
  return perSecond
}

it.each([1, 2, 3])(
  'of 400 sessions exchanged within a second, no later second renews more than 60 (seed %i)',
  async (seed) => {
    const [first, ...later] = await exchangesPerSecond(400, 180, seed)
    expect(first).toBe(400)
    expect(Math.max(...later)).toBeLessThanOrEqual(60)
    // Each session is exchanged once in 20 to 30 seconds.
    expect(later.reduce((sum, count) => sum + count, 0) / later.length).toBeLessThan(20)
  },
)

describe('a session in use', () => {
  it('is renewed in the background, once, at its moment of the last third', async () => {
    const { cache, auth, lookups, pass } = setUp({ random: () => 0.5 })
    const first = await cache.identify('c')
    await pass(24_999)
    void cache.identify('c')
    expect(auth.askedAtMs).toHaveLength(1)
    await pass(1)
    const both = [cache.identify('c'), cache.identify('c')]
    expect(await Promise.all(both)).toEqual([first, first])
    expect(auth.askedAtMs).toEqual([0, 25_000])
    await pass(10_000)
    await cache.identify('c')
    expect(auth.askedAtMs).toHaveLength(2)
    expect(lookups).toEqual({ hit: 4, miss: 1, joined: 0 })
  })

  it('waits for auth only the first time, and never gets a token in its last five seconds', async () => {
    const { cache, lookups, pass } = setUp({ random: () => 0.5 })
    for (let halfSecond = 0; halfSecond < 1200; halfSecond += 1) {
      const identity = await cache.identify('c')
      expect(identity!.expiresAtMs - halfSecond * 500).toBeGreaterThan(5000)
      await pass(500)
    }
    expect(lookups).toEqual({ hit: 1199, miss: 1, joined: 0 })
  })

  it('stays remembered when its renewal gets no answer, and is renewed again a second later', async () => {
    const { cache, auth, pass } = setUp({ random: () => 0 })
    await cache.identify('c')
    await pass(20_000)
    auth.isAway = true
    for (let tenth = 0; tenth < 20; tenth += 1) {
      expect(await cache.identify('c')).not.toBeNull()
      await pass(100)
    }
    expect(auth.askedAtMs).toEqual([0, 20_000, 21_000])
  })

  it('ends with the renewal that auth refuses', async () => {
    const { cache, auth, pass } = setUp({ random: () => 0 })
    await cache.identify('c')
    auth.revoked.add('c')
    await pass(20_000)
    expect(await cache.identify('c')).not.toBeNull()
    await pass(0)
    expect(await cache.identify('c')).toBeNull()
  })

  it('is not renewed from before its session was forgotten', async () => {
    const { cache, auth, pass } = setUp({ random: () => 0 })
    await cache.identify('c')
    await pass(20_000)
    void cache.identify('c')
    cache.forgetSession('c')
    await pass(0)
    await cache.identify('c')
    expect(auth.askedAtMs).toEqual([0, 20_000, 20_000])
  })

  it('is not renewed while session changes are not followed', async () => {
    const { cache, auth, pass } = setUp({ random: () => 0 })
    await pass(100_000)
    await cache.identify('c')
    auth.isFollowed = false
    await pass(3999)
    await cache.identify('c')
    expect(auth.askedAtMs).toHaveLength(1)
  })
})
