import { jest } from '@jest/globals'
import { createVolumeLimit } from './volume-limit.ts'

function setUp() {
  const state = { nowMs: 0, spentMs: 0, taken: [] as [string, number | undefined][] }
  const limiter = {
    consume: (key: string, points?: number) => {
      state.taken.push([key, points])
      return state.spentMs > 0
        ? Promise.reject(Object.assign(new Error('spent'), { msBeforeNext: state.spentMs }))
        : Promise.resolve({} as never)
    },
    reward: () => Promise.resolve({} as never),
  }
  return { state, limit: createVolumeLimit(limiter, () => state.nowMs) }
}
const settled = () => new Promise(setImmediate)

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }))
afterEach(() => void jest.useRealTimers())

describe('a limit that no request waits for', () => {
  it('takes the requests of each key together, ten seconds after the first, and none while there are none', () => {
    const { state, limit } = setUp()
    for (const key of ['ann', 'bob', 'ann', 'ann']) expect(limit.take(key)).toBe(0)
    jest.advanceTimersByTime(9999)
    expect(state.taken).toEqual([])
    jest.advanceTimersByTime(1)
    expect(state.taken).toEqual([
      ['ann', 3],
      ['bob', 1],
    ])
    expect(jest.getTimerCount()).toBe(0)
    limit.take('bob')
    jest.advanceTimersByTime(10_000)
    expect(state.taken.slice(2)).toEqual([['bob', 1]])
  })

  it('refuses a key, uncounted, from the answer that its limit is used up until that ends, and no other key', async () => {
    const { state, limit } = setUp()
    state.spentMs = 5000
    limit.take('ann')
    limit.flush()
    await settled()
    state.nowMs = 2000
    state.spentMs = 0
    expect([limit.take('ann'), limit.take('ann'), limit.take('bob')]).toEqual([3000, 3000, 0])
    state.nowMs = 5000
    expect(limit.take('ann')).toBe(0)
    limit.flush()
    expect(state.taken.slice(1)).toEqual([
      ['bob', 1],
      ['ann', 1],
    ])
  })

  it('admits requests while the count does not answer', () => {
    const never = new Promise<never>(() => undefined)
    const limit = createVolumeLimit({ consume: () => never, reward: () => never }, () => 0)
    for (let count = 0; count < 3; count += 1) {
      expect(limit.take('ann')).toBe(0)
      limit.flush()
    }
  })
})
