import type { Figures } from './figures.ts'
import { climb, highest, holds, isExact } from './ladder.ts'
import type { Step } from './ladder.ts'

const percentiles = (p99: number) => ({ p50: 1, p95: 2, p99, max: 900, count: 10 })
const step = (ratePerSecond: number, changes: Record<string, number> = {}, p99 = 20): Step => {
  const figures: Figures = {
    ...{ seconds: 20, checks: [], broken: [] },
    counters: { accepted: 100, unstored: 0, undelivered: 0, ...changes },
    trends: { to_answer: percentiles(10), to_socket: percentiles(p99) },
  }
  return { ratePerSecond, figures, usage: [] }
}

describe('a step of the ladder', () => {
  it('holds when nothing is missing and p99 is under 200 ms, on both ways', () => {
    expect(holds(step(100))).toBe(true)
    expect(holds(step(100, {}, 199.9))).toBe(true)
    expect(holds(step(100, {}, 200))).toBe(false)
    const slowAnswers = step(100)
    slowAnswers.figures.trends['to_answer'] = percentiles(201)
    expect(holds(slowAnswers)).toBe(false)
  })

  it.each(['unstored', 'unstored_prints', 'undelivered', 'undelivered_prints', 'doubled', 'gaps', 'altered'])(
    'is not exact with %s',
    (name) => {
      expect(isExact(step(100))).toBe(true)
      expect(isExact(step(100, { [name]: 1 }))).toBe(false)
      expect(isExact(step(100, { [name]: -1 }))).toBe(false)
    },
  )

  it('is not exact when nothing was accepted at all', () => {
    expect(isExact(step(100, { accepted: 0 }))).toBe(false)
  })

  it.each([
    ...['dropped_iterations', 'refused', 'unanswered', 'retried'],
    ...['sockets_lost', 'sockets_refused', 'sockets_missing'],
  ])('does not hold with %s, though it may be exact', (name) => {
    expect(isExact(step(100, { [name]: 1 }))).toBe(true)
    expect(holds(step(100, { [name]: 1 }))).toBe(false)
  })

  it('does not hold when nothing was measured', () => {
    const empty = step(100)
    empty.figures.trends = {}
    expect(holds(empty)).toBe(false)
  })
})

describe('the ladder', () => {
  it('ends with the first step that does not hold, and knows the highest that did', async () => {
    const taken: number[] = []
    const steps = await climb([100, 200, 500, 1000], (rate) => {
      taken.push(rate)
      return Promise.resolve(step(rate, {}, rate === 500 ? 300 : 20))
    })
    expect(taken).toEqual([100, 200, 500])
    expect(steps.map(({ ratePerSecond }) => ratePerSecond)).toEqual([100, 200, 500])
    expect(highest(steps)).toBe(200)
  })

  it('has no highest step when the first one breaks', async () => {
    const steps = await climb([100, 200], (rate) => Promise.resolve(step(rate, { doubled: 1 })))
    expect(steps).toHaveLength(1)
    expect(highest(steps)).toBeNull()
  })
})
