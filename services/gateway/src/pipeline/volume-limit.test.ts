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
  it('takes the requests of each key together, ten seconds after the first, and none while there are none', async () => {
    const { state, limit } = setUp()
    for (const key of ['ann', 'bob', 'ann', 'ann']) expect(limit.take(key)).toBe(0)
    jest.advanceTimersByTime(9999)
    expect(state.taken).toEqual([])
    jest.advanceTimersByTime(1)
    expect(state.taken).toEqual([
      ['ann', 3],
      ['bob', 1],
    ])
    // The flush itself ends one turn after its answers.
    for (let turn = 0; turn < 3; turn += 1) await settled()
    expect(jest.getTimerCount()).toBe(0)
    limit.take('bob')
    jest.advanceTimersByTime(10_000)
    expect(state.taken.slice(2)).toEqual([['bob', 1]])
  })

  it('refuses a key, uncounted, from the answer that its limit is used up until that ends, and no other key', async () => {
    const { state, limit } = setUp()
    state.spentMs = 5000
    limit.take('ann')
    await limit.flush()
    state.nowMs = 2000
    state.spentMs = 0
    expect([limit.take('ann'), limit.take('ann'), limit.take('bob')]).toEqual([3000, 3000, 0])
    state.nowMs = 5000
    expect(limit.take('ann')).toBe(0)
    await limit.flush()
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
      void limit.flush()
    }
  })

  it('takes some twenty keys, and then lets other work of the event loop run', async () => {
    const { state, limit } = setUp()
    for (let key = 0; key < 1000; key += 1) limit.take(`person ${key}`)
    const flushed = limit.flush()
    const takenAt = [state.taken.length]
    while (state.taken.length < 1000) {
      await settled()
      takenAt.push(state.taken.length)
    }
    await flushed
    const steps = takenAt.map((taken, index) => taken - (takenAt[index - 1] ?? 0))
    expect(Math.max(...steps)).toBe(20)
  })

  it('starts no second flush before the first has ended, and continues to count', async () => {
    const answers: (() => void)[] = []
    const taken: [string, number | undefined][] = []
    const consume = (key: string, points?: number) => {
      taken.push([key, points])
      return new Promise<never>((resolve) => answers.push(resolve as () => void))
    }
    const limit = createVolumeLimit({ consume, reward: consume }, () => 0)
    limit.take('ann')
    const first = limit.flush()
    for (let round = 0; round < 3; round += 1) {
      limit.take('ann')
      jest.advanceTimersByTime(10_000)
    }
    expect(taken).toEqual([['ann', 1]])
    answers[0]?.()
    await first
    jest.advanceTimersByTime(10_000)
    expect(taken).toEqual([
      ['ann', 1],
      ['ann', 3],
    ])
  })
})
