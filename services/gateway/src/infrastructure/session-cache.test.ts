import { setImmediate } from 'node:timers/promises'
import { AppError } from '@sumlock/service-kit/app-error'
import { createSessionCache } from './session-cache.ts'
import type { GatewaySession } from './session-cache.ts'

const tokenLifeMs = 60_000
const identity = (token: string, more: Partial<GatewaySession> = {}): GatewaySession => ({
  tokens: { messaging: token },
  sid: 's1',
  userId: 'u1',
  unlockedUntilMs: 0,
  isAdmin: false,
  passwordGivenAtMs: 0,
  expiresAtMs: Infinity,
  ...more,
})
const locked = identity('locked')
const unlocked = identity('unlocked', { unlockedUntilMs: 1 })
const isUnlocked = ({ unlockedUntilMs }: GatewaySession) => unlockedUntilMs > 0
const noSession = () => new AppError('unauthenticated', 'no_session', 'x')

/** A moment within the last third; 0 is its beginning. */
function setUp({ capacity = 100, random = () => 1 } = {}) {
  let nowMs = 0
  let following = true
  const asked: {
    cookie: string
    answer: (identity: GatewaySession) => void
    refuse: (error: Error) => void
  }[] = []
  const exchange = (cookie: string) =>
    new Promise<GatewaySession>((answer, refuse) => asked.push({ cookie, answer, refuse }))
  const cache = createSessionCache(
    exchange,
    { nowMs: () => nowMs, now: () => new Date(nowMs) },
    { isFollowing: () => following, capacity, random },
  )
  /** Identifies a cookie, and answers the exchange that this starts. */
  const learn = async (cookie: string, answer: GatewaySession) => {
    const identified = cache.identify(cookie)
    asked.at(-1)?.answer(answer)
    await identified
  }
  /** Counts the exchanges that identifying starts. */
  const costOf = (cookie: string) => {
    const before = asked.length
    void cache.identify(cookie)
    return asked.length - before
  }
  return {
    cache,
    asked,
    learn,
    costOf,
    pass: (ms: number) => (nowMs += ms),
    follow: (isFollowing: boolean) => (following = isFollowing),
  }
}

describe('the session cache', () => {
  it('starts one exchange for concurrent callers', async () => {
    const { cache, asked } = setUp()
    const both = [cache.identify('c'), cache.identify('c')]
    expect(asked).toHaveLength(1)
    asked[0]?.answer(identity('t1'))
    expect(await Promise.all(both)).toEqual([identity('t1'), identity('t1')])
  })

  it('keeps an identity for 30 seconds while session changes are followed', async () => {
    const { learn, costOf, pass } = setUp()
    pass(100_000)
    await learn('c', identity('t1'))
    pass(29_999)
    expect(costOf('c')).toBe(0)
    pass(1)
    expect(costOf('c')).toBe(1)
  })

  it('keeps an identity for four seconds while session changes are not followed, and for 30 once they are again', async () => {
    const { learn, costOf, pass, follow } = setUp()
    await learn('c', identity('t1'))
    follow(false)
    pass(3999)
    expect(costOf('c')).toBe(0)
    pass(1)
    follow(true)
    expect(costOf('c')).toBe(0)
    follow(false)
    expect(costOf('c')).toBe(1)
  })

  it('counts the age of an identity from the start of its exchange, not from the answer', async () => {
    const { cache, asked, costOf, pass, follow } = setUp()
    follow(false)
    const slow = cache.identify('c')
    pass(3000)
    asked[0]?.answer(identity('t1'))
    await slow
    pass(999)
    expect(costOf('c')).toBe(0)
    pass(1)
    expect(costOf('c')).toBe(1)
  })

  it('never hands out a token in the last five seconds of its life', async () => {
    // Auth hands out a token again until half of its life is over.
    const halfLifeMs = tokenLifeMs / 2
    const { learn, costOf, pass } = setUp()
    await learn('c', identity('t1', { expiresAtMs: halfLifeMs }))
    pass(halfLifeMs - 5001)
    expect(costOf('c')).toBe(0)
    pass(1)
    expect(costOf('c')).toBe(1)
  })

  it('evicts the least recently used session when it is full', async () => {
    const { learn, costOf } = setUp({ capacity: 2 })
    await learn('c1', identity('t1', { sid: 's1' }))
    await learn('c2', identity('t2', { sid: 's2' }))
    expect(costOf('c1')).toBe(0)
    await learn('c3', identity('t3', { sid: 's3' }))
    expect(costOf('c1')).toBe(0)
    expect(costOf('c2')).toBe(1)
  })

  it('distinguishes a cookie without a session from a failure of auth', async () => {
    const { cache, asked } = setUp()
    const none = cache.identify('c')
    asked[0]?.refuse(noSession())
    expect(await none).toBeNull()
    const failure = cache.identify('c')
    asked[1]?.refuse(new AppError('unavailable', 'unavailable', 'x'))
    await expect(failure).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('remembers the owner of a cookie from the first answer of auth until auth refuses it', async () => {
    const { cache, asked, learn, pass } = setUp()
    void cache.identify('c')
    expect(cache.ownerOf('c')).toBeUndefined()
    await learn('c', identity('t1'))
    pass(3_600_000)
    cache.forgetSession('s1')
    expect(cache.ownerOf('c')?.userId).toBe('u1')
    const refused = cache.identify('c')
    asked.at(-1)?.refuse(noSession())
    await refused
    expect(cache.ownerOf('c')).toBeUndefined()
  })
})

describe('a forgotten session in the cache', () => {
  it('is exchanged again, while the others stay remembered', async () => {
    const { cache, learn, costOf } = setUp()
    await learn('c1', identity('t1', { sid: 's1' }))
    await learn('c2', identity('t2', { sid: 's2' }))
    cache.forgetSession('s1')
    expect(costOf('c2')).toBe(0)
    expect(costOf('c1')).toBe(1)
  })

  it('causes no exchange of other sessions, at 500 changes of unknown sessions a second', async () => {
    const { cache, asked, pass } = setUp({ capacity: 1000 })
    // 20 sessions send a request every 100 ms for ten seconds; auth takes 8 ms.
    for (let tick = 0; tick < 100; tick += 1) {
      const before = asked.length
      const all = Array.from({ length: 20 }, (_, number) => cache.identify(`c${number}`))
      pass(8)
      for (let change = 0; change < 50; change += 1) cache.forgetSession(`elsewhere-${tick}-${change}`)
      for (const { cookie, answer } of asked.slice(before)) answer(identity('t', { sid: `sid of ${cookie}` }))
      await Promise.all(all)
      pass(92)
    }
    expect(asked).toHaveLength(20)
  })

  it('is answered by an exchange that started before, which is not remembered', async () => {
    const { cache, asked, costOf } = setUp()
    const early = cache.identify('c')
    cache.forgetSession('s1')
    asked[0]?.answer(identity('old'))
    expect(await early).toEqual(identity('old'))
    expect(costOf('c')).toBe(1)
  })

  it('is not remembered from an earlier exchange when later exchanges are answered sooner', async () => {
    const { cache, asked, learn, costOf } = setUp()
    const slow = cache.identify('slow')
    void cache.identify('waiting')
    cache.forgetSession('s1')
    await learn('quick', identity('t2', { sid: 's2' }))
    asked[0]?.answer(identity('old'))
    await slow
    expect(costOf('slow')).toBe(1)
  })

  it('does not affect the running exchange of another session', async () => {
    const { cache, asked, costOf } = setUp()
    const early = cache.identify('c')
    cache.forgetSession('s2')
    asked[0]?.answer(identity('t1'))
    await early
    expect(costOf('c')).toBe(0)
  })

  it('is remembered again from a later exchange, while an older exchange is still running', async () => {
    const { cache, learn, costOf } = setUp()
    void cache.identify('slow')
    cache.forgetSession('s1')
    await learn('c', identity('t1'))
    expect(costOf('c')).toBe(0)
  })

  it('is exchanged again for a later caller, also while its cookie is unknown', async () => {
    const { cache, asked } = setUp()
    void cache.identify('c')
    cache.forgetSession('s1')
    const later = cache.identify('c')
    asked[0]?.answer(identity('old'))
    await setImmediate()
    asked[1]?.answer(identity('new'))
    expect(await later).toEqual(identity('new'))
  })

  it('keeps a newer answer when an older one arrives late', async () => {
    const { cache, asked, learn, costOf } = setUp()
    await learn('c', identity('first'))
    cache.forgetSession('s1')
    void cache.identify('c')
    cache.forgetSession('s1')
    const latest = cache.identify('c')
    asked[2]?.answer(identity('newest'))
    expect(await latest).toEqual(identity('newest'))
    asked[1]?.answer(identity('old'))
    await setImmediate()
    expect(costOf('c')).toBe(0)
    expect(await cache.identify('c')).toEqual(identity('newest'))
  })

  it('is exchanged again for a later caller after its cookie was forgotten', async () => {
    const { cache, asked } = setUp()
    void cache.identify('c')
    cache.forgetCookie('c')
    const later = cache.identify('c')
    asked[0]?.answer(identity('old'))
    asked[1]?.answer(identity('new'))
    expect(await later).toEqual(identity('new'))
    expect(await cache.identify('c')).toEqual(identity('new'))
  })

  it('is every session after a reset, including running exchanges', async () => {
    const { cache, asked, learn, costOf } = setUp()
    await learn('c1', identity('t1', { sid: 's1' }))
    const early = cache.identify('c2')
    cache.forgetAll()
    asked[1]?.answer(identity('t2', { sid: 's2' }))
    await early
    expect(costOf('c1')).toBe(1)
    expect(costOf('c2')).toBe(1)
    await learn('c3', identity('t3', { sid: 's3' }))
    expect(costOf('c3')).toBe(0)
  })
})

describe('a remembered identity that is not enough for the route', () => {
  it('is exchanged once more', async () => {
    const { cache, asked, learn } = setUp()
    await learn('c', locked)
    const unlockedSince = cache.identify('c', isUnlocked)
    asked[1]?.answer(unlocked)
    expect(await unlockedSince).toEqual(unlocked)
    expect(await cache.identify('c', isUnlocked)).toEqual(unlocked)
    expect(asked).toHaveLength(2)
  })

  it('is final when its exchange started after the call', async () => {
    const { cache, asked } = setUp()
    const refused = cache.identify('c', isUnlocked)
    asked[0]?.answer(locked)
    expect(await refused).toEqual(locked)
    expect(asked).toHaveLength(1)
  })

  it('is exchanged once more for all callers that joined an earlier exchange', async () => {
    const { cache, asked } = setUp()
    const first = cache.identify('c', isUnlocked)
    // The answer may be outdated, because the session may have been unlocked since.
    const later = [cache.identify('c', isUnlocked), cache.identify('c', isUnlocked)]
    asked[0]?.answer(locked)
    expect(await first).toEqual(locked)
    await setImmediate()
    expect(asked).toHaveLength(2)
    asked[1]?.answer(unlocked)
    expect(await Promise.all(later)).toEqual([unlocked, unlocked])
    expect(asked).toHaveLength(2)
  })

  it('fails for all callers with the first failure of auth', async () => {
    const { cache, asked } = setUp()
    const both = [cache.identify('c', isUnlocked), cache.identify('c', isUnlocked)]
    for (const { refuse } of asked) refuse(new AppError('unavailable', 'unavailable', 'x'))
    for (const failure of both) await expect(failure).rejects.toMatchObject({ kind: 'unavailable' })
    expect(asked).toHaveLength(1)
  })
})
