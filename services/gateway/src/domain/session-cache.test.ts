import { AppError } from '@sumlock/service-kit/app-error'
import { createSessionCache } from './session-cache.ts'
import type { Identity } from './session-cache.ts'

const identity = (token: string): Identity => ({ token, sid: 's1', userId: 'u1', unlockedUntilMs: 0 })

function setUp() {
  let nowMs = 0
  const asked: { answer: (identity: Identity) => void; refuse: (error: Error) => void }[] = []
  const exchange = () => new Promise<Identity>((answer, refuse) => asked.push({ answer, refuse }))
  const cache = createSessionCache(exchange, { nowMs: () => nowMs, now: () => new Date(nowMs) })
  return { cache, asked, pass: (ms: number) => (nowMs += ms) }
}

describe('the session cache', () => {
  it('asks once for callers that come together and remembers for four and a half seconds', async () => {
    const { cache, asked, pass } = setUp()
    const both = [cache.identify('c'), cache.identify('c')]
    expect(asked).toHaveLength(1)
    asked[0]?.answer(identity('t1'))
    expect(await Promise.all(both)).toEqual([identity('t1'), identity('t1')])
    pass(4499)
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

  it('asks anew when told to', async () => {
    const { cache, asked } = setUp()
    const first = cache.identify('c')
    asked[0]?.answer(identity('locked'))
    await first
    const fresh = cache.identify('c', { fresh: true })
    asked[1]?.answer(identity('unlocked'))
    expect(await fresh).toEqual(identity('unlocked'))
    expect(await cache.identify('c')).toEqual(identity('unlocked'))
  })
})
