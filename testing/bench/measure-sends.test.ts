import { isKept, tally } from './measure-sends.ts'
import type { SendRun } from './measure-sends.ts'
import type { Flight } from './send-load.ts'

const flight = (id: string, over: Partial<Flight> = {}): Flight => ({
  ...{ id, dueAtMs: 100, writtenAtMs: 101, answeredAtMs: 105, seenAtMs: [107] },
  ...over,
})
const isClean = (flights: readonly Flight[], documents: Record<string, number>) =>
  isKept(tally(flights, new Map(Object.entries(documents))) as SendRun)

it('counts from the moment a send was due, and how late the generator was', () => {
  expect(tally([flight('a')], new Map([['a', 1]]))).toMatchObject({
    ...{ offered: 1, accepted: 1, stored: 1, delivered: 1, doubled: 0 },
    ...{ toAnswer: { p50: 5 }, toSocket: { p50: 7 }, lateness: { p50: 1 } },
  })
})

it('holds a run clean only if all that was accepted is stored and seen, once', () => {
  expect(isClean([flight('a')], { a: 1 })).toBe(true)
  expect(isClean([flight('a'), flight('b')], { a: 1, x: 1 })).toBe(false)
  expect(isClean([flight('a'), flight('b', { seenAtMs: [] })], { a: 1, b: 1 })).toBe(false)
  expect(isClean([flight('a', { seenAtMs: [107, 108] })], { a: 1 })).toBe(false)
  expect(isClean([flight('a')], { a: 2 })).toBe(false)
})

it('does not count a refused send as lost', () => {
  const refused = flight('b', { answeredAtMs: NaN, seenAtMs: [] })
  expect(isClean([flight('a'), refused], { a: 1 })).toBe(true)
  expect(tally([refused], new Map())).toMatchObject({ offered: 1, accepted: 0, delivered: 0 })
})

it('takes a refused send for one that never arrived, so that turning people away does not look fast', () => {
  const refused = flight('b', { answeredAtMs: NaN, seenAtMs: [] })
  const { toAnswer, toSocket } = tally([flight('a'), refused], new Map([['a', 1]]))
  expect([toAnswer.p50, toAnswer.p99, toSocket.p99]).toEqual([5, Infinity, Infinity])
})
