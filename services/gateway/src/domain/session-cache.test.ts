import { setImmediate } from 'node:timers/promises'
import { AppError } from '@sumlock/service-kit/app-error'
import { createSessionCache } from './session-cache.ts'
import type { Identity } from './session-cache.ts'

const identity = (token: string): Identity => ({ token, sid: 's1', userId: 'u1', unlockedUntilMs: 0 })
const locked = identity('locked')
const unlocked: Identity = { ...identity('unlocked'), unlockedUntilMs: 1 }
const isUnlocked = ({ unlockedUntilMs }: Identity) => unlockedUntilMs > 0

function setUp() {
  let nowMs = 0
  const asked: { answer: (identity: Identity) => void; refuse: (error: Error) => void }[] = []
  const exchange = () => new Promise<Identity>((answer, refuse) => asked.push({ answer, refuse }))
  const cache = createSessionCache(exchange, { nowMs: () => nowMs, now: () => new Date(nowMs) })
  return { cache, asked, pass: (ms: number) => (nowMs += ms) }
}

describe('the session cache', () => {
  it('asks once for callers that come together and remembers for four seconds', async () => {
    const { cache, asked, pass } = setUp()
    const both = [cache.identify('c'), cache.identify('c')]
    expect(asked).toHaveLength(1)
    asked[0]?.answer(identity('t1'))
    expect(await Promise.all(both)).toEqual([identity('t1'), identity('t1')])
    pass(3999)
    expect(await cache.identify('c')).toEqual(identity('t1'))
    pass(1)
    void cache.identify('c')
    expect(asked).toHaveLength(2)
  })

  it('forgets a session, also one whose answer was still under way', async () => {
    const { cache, asked } = setUp()
    const early = cache.identify('c')
    cache.forgetSession('s1')
    asked[0]?.answer(identity('old'))
    expect(await early).toEqual(identity('old'))
    const later = cache.identify('c')
    expect(asked).toHaveLength(2)
    asked[1]?.answer(identity('new'))
    expect(await later).toEqual(identity('new'))
    cache.forgetSession('s1')
    void cache.identify('c')
    expect(asked).toHaveLength(3)
  })

  it('does not hand a caller who comes after the forgetting the answer that was under way', async () => {
    const { cache, asked } = setUp()
    void cache.identify('c')
    cache.forgetCookie('c')
    const later = cache.identify('c')
    asked[0]?.answer(identity('old'))
    asked[1]?.answer(identity('new'))
    expect(await later).toEqual(identity('new'))
  })

  it('tells nobody from a failure of auth', async () => {
    const { cache, asked } = setUp()
    const nobody = cache.identify('c')
    asked[0]?.refuse(new AppError('unauthenticated', 'no_session', 'x'))
    expect(await nobody).toBeNull()
    const failure = cache.identify('c')
    asked[1]?.refuse(new AppError('unavailable', 'unavailable', 'x'))
    await expect(failure).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('knows a cookie from when auth names its session until auth takes it back', async () => {
    const { cache, asked, pass } = setUp()
    const first = cache.identify('c')
    expect(cache.personOf('c')).toBeUndefined()
    asked[0]?.answer(identity('t1'))
    await first
    pass(3_600_000)
    expect(cache.personOf('c')).toBe('u1')
    const second = cache.identify('c')
    asked[1]?.refuse(new AppError('unauthenticated', 'no_session', 'x'))
    await second
    expect(cache.personOf('c')).toBeUndefined()
  })

  it('asks anew when what it remembers is not enough', async () => {
    const { cache, asked } = setUp()
    const first = cache.identify('c')
    asked[0]?.answer(locked)
    await first
    const unlockedSince = cache.identify('c', isUnlocked)
    asked[1]?.answer(unlocked)
    expect(await unlockedSince).toEqual(unlocked)
    expect(await cache.identify('c', isUnlocked)).toEqual(unlocked)
    expect(asked).toHaveLength(2)
  })

  it('asks once for whom the answer is not enough, when the question came after them', async () => {
    const { cache, asked } = setUp()
    const refused = cache.identify('c', isUnlocked)
    asked[0]?.answer(locked)
    expect(await refused).toEqual(locked)
    expect(asked).toHaveLength(1)
  })

  it('asks once more for all who came while a question was under way whose answer is not enough', async () => {
    const { cache, asked } = setUp()
    const first = cache.identify('c', isUnlocked)
    // The answer may be from before: whoever comes now may have been unlocked since.
    const later = [cache.identify('c', isUnlocked), cache.identify('c', isUnlocked)]
    asked[0]?.answer(locked)
    expect(await first).toEqual(locked)
    await setImmediate()
    expect(asked).toHaveLength(2)
    asked[1]?.answer(unlocked)
    expect(await Promise.all(later)).toEqual([unlocked, unlocked])
    expect(asked).toHaveLength(2)
  })

  it('lets nobody wait for a second failure of auth', async () => {
    const { cache, asked } = setUp()
    const both = [cache.identify('c', isUnlocked), cache.identify('c', isUnlocked)]
    for (const { refuse } of asked) refuse(new AppError('unavailable', 'unavailable', 'x'))
    for (const failure of both) await expect(failure).rejects.toMatchObject({ kind: 'unavailable' })
    expect(asked).toHaveLength(1)
  })
})
