import { createStreamPermits } from './stream-permits.ts'
import type { Stream } from './stream-permits.ts'

interface TestStream extends Stream {
  moved: number
  hasEnded: boolean
}

function streamOf(personId: string): TestStream {
  const stream = { personId, moved: 0, hasEnded: false }
  return Object.assign(stream, { bytes: () => stream.moved, end: () => void (stream.hasEnded = true) })
}

function setUp(bounds: Parameters<typeof createStreamPermits>[0]) {
  const clock = { now: 0, nowMs: () => clock.now }
  const counted = { ended: 0 }
  const permits = createStreamPermits(bounds, clock, () => (counted.ended += 1))
  const begin = (personId: string) => {
    const stream = streamOf(personId)
    return Object.assign(stream, { permit: permits.admit(stream) })
  }
  return { clock, counted, permits, begin }
}

it('refuses a stream of a person who has as many as one may have, and ends none for it', () => {
  const { begin } = setUp({ perPerson: 2, total: 9 })
  const own = [begin('u'), begin('u')]
  expect(begin('u').permit).toBeUndefined()
  own[0]?.permit?.release()
  expect(begin('u').permit).toBeDefined()
  expect(own.map(({ hasEnded }) => hasEnded)).toEqual([false, false])
})

it('ends the slowest stream of whoever holds most for a newcomer', () => {
  const { begin, clock, counted } = setUp({ perPerson: 12, total: 5 })
  const most = [begin('u'), begin('u'), begin('u')]
  const others = [begin('v'), begin('v')]
  clock.now = 60_000
  most.forEach((stream, index) => (stream.moved = [5_000_000, 6000, 9_000_000][index] ?? 0))
  expect(begin('w').permit).toBeDefined()
  expect(most.map(({ hasEnded }) => hasEnded)).toEqual([false, true, false])
  expect(others.map(({ hasEnded }) => hasEnded)).toEqual([false, false])
  expect(counted.ended).toBe(1)
})

it('does not take the youngest stream for the slowest', () => {
  const { begin, clock } = setUp({ perPerson: 12, total: 2 })
  const old = begin('u')
  clock.now = 60_000
  old.moved = 600_000
  const young = begin('u')
  expect(begin('v').permit).toBeDefined()
  expect([old.hasEnded, young.hasEnded]).toEqual([true, false])
})

it('counts the stream of a newcomer to what its person holds, and ends an own one when nobody holds more', () => {
  const { begin } = setUp({ perPerson: 12, total: 5 })
  const own = [begin('u'), begin('u')]
  const others = [begin('v'), begin('v'), begin('v')]
  expect(begin('u').permit).toBeDefined()
  expect(own.filter(({ hasEnded }) => hasEnded)).toHaveLength(1)
  expect(others.filter(({ hasEnded }) => hasEnded)).toHaveLength(0)
})

it('refuses a newcomer while nobody else holds two', () => {
  const { begin, counted } = setUp({ perPerson: 12, total: 2 })
  begin('u')
  begin('v')
  expect(begin('w').permit).toBeUndefined()
  expect(begin('u').permit).toBeUndefined()
  expect(counted.ended).toBe(0)
})

it('ends none for a second stream of a person while nobody holds more than two', () => {
  const { begin } = setUp({ perPerson: 12, total: 3 })
  const pair = [begin('u'), begin('u')]
  begin('v')
  // Otherwise two people would end each other's second stream again and again.
  expect(begin('v').permit).toBeUndefined()
  expect(pair.map(({ hasEnded }) => hasEnded)).toEqual([false, false])
})

it('counts an ended stream no longer, also when its request is released later', () => {
  const { begin } = setUp({ perPerson: 12, total: 3 })
  const most = [begin('u'), begin('u'), begin('u')]
  expect(begin('v').permit).toBeDefined()
  const ended = most.find(({ hasEnded }) => hasEnded)
  ended?.permit?.release()
  expect(begin('w').permit).toBeDefined()
  expect(most.filter(({ hasEnded }) => hasEnded)).toHaveLength(2)
  expect(begin('x').permit).toBeUndefined()
})

it('says for how long a refusal lasts: until an upload of the person, or of anybody, has had its time', () => {
  const { clock, permits } = setUp({ perPerson: 2, total: 4 })
  permits.admit({ ...streamOf('u'), allowedMs: 25_000 })
  permits.admit({ ...streamOf('u'), allowedMs: 20_000 })
  permits.admit({ ...streamOf('v'), allowedMs: 10_000 })
  permits.admit(streamOf('w'))
  clock.now = 5000
  expect(permits.waitMsOf('u')).toBe(15_000)
  expect(permits.waitMsOf('x')).toBe(5000)
})

it('makes room for a stream that is counted already', () => {
  const { begin, permits } = setUp({ perPerson: 12, total: 9 })
  const most = [begin('u'), begin('u')]
  const newcomer = begin('v')
  expect(permits.makeRoomFor(newcomer)).toBe(true)
  expect(permits.makeRoomFor(newcomer)).toBe(false)
  expect(most.filter(({ hasEnded }) => hasEnded)).toHaveLength(1)
  expect(newcomer.hasEnded).toBe(false)
})
