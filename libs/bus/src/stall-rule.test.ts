import { createStallRule } from './stall-rule.ts'
import type { PartitionProgress } from './stall-rule.ts'

const at = (position: number, more: Partial<PartitionProgress> = {}): PartitionProgress[] => [
  { name: 'users/0', position, end: 10, isPaused: false, tries: 0, ...more },
]

describe('a consumer', () => {
  it('is stalled once it took nothing for the whole time although there was something', () => {
    const rule = createStallRule(100)
    expect(rule.look(0, at(3))).toEqual([])
    expect(rule.look(99, at(3))).toEqual([])
    expect(rule.look(100, at(3))).toEqual(['users/0'])
  })

  it.each([
    ['took something meanwhile', at(4), at(4)],
    ['had taken everything', at(10), at(10, { end: 11 })],
    ['is paused for a dependency', at(3, { isPaused: true }), at(3)],
    ['tried again meanwhile', at(3, { tries: 1 }), at(3, { tries: 1 })],
    ['had given the partition to another', [], at(3)],
  ])('is not stalled when it %s', (_, between, afterwards) => {
    const rule = createStallRule(100)
    rule.look(0, at(3))
    rule.look(90, between)
    expect(rule.look(110, afterwards)).toEqual([])
  })

  it('is stalled when a try hangs', () => {
    const rule = createStallRule(100)
    rule.look(0, at(3, { isPaused: true, tries: 1 }))
    rule.look(10, at(3, { tries: 1 }))
    expect(rule.look(110, at(3, { tries: 1 }))).toEqual(['users/0'])
  })

  it('is not judged by a time in which Kafka did not answer', () => {
    const rule = createStallRule(100)
    rule.look(0, at(3))
    rule.forget()
    expect(rule.look(110, at(3))).toEqual([])
  })
})
