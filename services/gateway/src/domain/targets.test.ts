import { createTargets } from './targets.ts'

describe('targets', () => {
  it('takes turns, leaves a dead one out for a second, and goes on trying when all are dead', () => {
    let now = 0
    const targets = createTargets(['a', 'b'], () => now)
    const take = (count: number) => Array.from({ length: count }, () => targets.next())
    expect(take(4)).toEqual(['a', 'b', 'a', 'b'])
    targets.reportDown('a')
    expect(take(3)).toEqual(['b', 'b', 'b'])
    now = 1000
    expect(new Set(take(2))).toEqual(new Set(['a', 'b']))
    targets.reportDown('a')
    targets.reportDown('b')
    expect(['a', 'b']).toContain(targets.next())
  })
})
