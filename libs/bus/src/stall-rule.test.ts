import { createStallRule } from './stall-rule.ts'
import type { PartitionProgress } from './stall-rule.ts'

const at = (position: number, more: Partial<PartitionProgress> = {}): PartitionProgress[] => [
  { name: 'users/0', position, end: 10, isPaused: false, pauses: 0, ...more },
]

describe('the stall rule', () => {
  it('reports a partition without progress for the whole time although records are pending', () => {
    const rule = createStallRule(100)
    expect(rule.check(0, at(3))).toEqual([])
    expect(rule.check(99, at(3))).toEqual([])
    expect(rule.check(100, at(3))).toEqual(['users/0'])
  })

  it.each([
    ['a record was taken meanwhile', at(4), at(4)],
    ['no record was pending before', at(10), at(10, { end: 11 })],
    ['the partition was paused for a dependency', at(3, { isPaused: true }), at(3)],
    ['another attempt was made meanwhile', at(3, { pauses: 1 }), at(3, { pauses: 1 })],
    ['the partition belonged to another consumer meanwhile', [], at(3)],
  ])('reports nothing when %s', (_, between, afterwards) => {
    const rule = createStallRule(100)
    rule.check(0, at(3))
    rule.check(90, between)
    expect(rule.check(110, afterwards)).toEqual([])
  })

  it('reports nothing while no record is pending', () => {
    const rule = createStallRule(100)
    rule.check(0, at(10))
    expect(rule.check(200, at(10))).toEqual([])
  })

  it('reports a partition whose attempt hangs', () => {
    const rule = createStallRule(100)
    rule.check(0, at(3, { isPaused: true, pauses: 1 }))
    rule.check(10, at(3, { pauses: 1 }))
    expect(rule.check(110, at(3, { pauses: 1 }))).toEqual(['users/0'])
  })

  it('does not count a time in which Kafka did not answer', () => {
    const rule = createStallRule(100)
    rule.check(0, at(3))
    rule.forget()
    expect(rule.check(110, at(3))).toEqual([])
  })
})
