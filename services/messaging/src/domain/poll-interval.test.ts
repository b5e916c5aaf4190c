import { createPollInterval, pollIntervalMs } from './poll-interval.ts'

it.each([
  [0, 0, 3000],
  [0, 0.5, 3500],
  [100, 0.999, 3999],
  [200, 0, 6000],
  [400, 0.5, 14_000],
  [750, 0, 22_500],
  [750, 1, 30_000],
  [100_000, 1, 30_000],
])('at %d polls a second and chance %d, the next poll comes after %d ms', (rate, chance, expected) => {
  expect(pollIntervalMs(rate, chance)).toBe(expected)
})

describe('the interval that a process chooses', () => {
  let nowMs = 1_700_000_000_000
  /** Polls evenly for this long and returns the last interval. */
  const pollFor = (next: () => number, seconds: number, perSecond: number) => {
    let last = 0
    for (let count = 0; count < seconds * perSecond; count += 1) {
      nowMs += 1000 / perSecond
      last = next()
    }
    return last
  }
  const start = () =>
    createPollInterval(
      () => nowMs,
      () => 0,
    )

  it('is 3 s for a few polls', () => {
    expect(pollFor(start(), 10, 20)).toBe(3000)
  })

  it('grows with the rate of the last seconds, and shrinks again', () => {
    const next = start()
    expect(pollFor(next, 30, 200)).toBeCloseTo(6000, -2)
    expect(pollFor(next, 30, 50)).toBe(3000)
  })

  it('grows at once when many poll in the same moment', () => {
    const next = start()
    const intervals = Array.from({ length: 2000 }, next)
    expect(intervals[0]).toBe(3000)
    expect(intervals.at(-1)).toBe(12_000)
  })
})
