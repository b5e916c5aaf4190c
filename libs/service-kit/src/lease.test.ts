import { jest } from '@jest/globals'
import { whileHolding } from './lease.ts'
import type { Lease } from './lease.ts'

const clock = { nowMs: () => Date.now() }
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms)
beforeEach(() => void jest.useFakeTimers({ now: 0 }))
afterEach(() => void jest.useRealTimers())

/** Holds a lease whose renewals are answered by `renew`. */
async function hold(renew: () => Promise<boolean>) {
  const lease: Lease = { take: () => Promise.resolve(true), renew, release: () => Promise.resolve() }
  const begun = Promise.withResolvers<() => boolean>()
  const ended = Promise.withResolvers<void>()
  const held = whileHolding(lease, clock, (isHeld) => {
    begun.resolve(isHeld)
    return ended.promise
  })
  return { isHeld: await begun.promise, end: () => (ended.resolve(), held) }
}

describe('work under a lease', () => {
  it('notices at the next renewal that another owner has taken over', async () => {
    let isTaken = false
    const { isHeld, end } = await hold(() => Promise.resolve(!isTaken))
    await pass(60_000)
    expect(isHeld()).toBe(true)
    isTaken = true
    await pass(1000)
    expect(isHeld()).toBe(false)
    isTaken = false
    await pass(1000)
    expect(isHeld()).toBe(false)
    expect(await end()).toBe(false)
  })

  it.each(['fail', 'hang'])(
    'no longer holds it three seconds after its last renewal when renewals %s',
    async (how) => {
      let isAway = false
      const away = () => (how === 'fail' ? Promise.reject(new Error('away')) : new Promise<boolean>(() => {}))
      const { isHeld, end } = await hold(() => (isAway ? away() : Promise.resolve(true)))
      await pass(5000)
      isAway = true
      await pass(2999)
      expect(isHeld()).toBe(true)
      await pass(1)
      expect(isHeld()).toBe(false)
      expect(await end()).toBe(false)
    },
  )

  it('no longer holds it when its process was suspended, before any timer has run', async () => {
    const { isHeld } = await hold(() => Promise.resolve(true))
    jest.setSystemTime(3000)
    expect(isHeld()).toBe(false)
  })

  it('goes on when a renewal fails once', async () => {
    let count = 0
    const renew = () => (++count % 2 ? Promise.reject(new Error('away')) : Promise.resolve(true))
    const { isHeld, end } = await hold(renew)
    await pass(60_000)
    expect(isHeld()).toBe(true)
    expect(await end()).toBe(true)
  })
})
