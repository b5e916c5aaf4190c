import { createTargets } from './bulkhead.ts'

describe('the targets of an upstream', () => {
  it('rotate, leave out a dead replica for a second, and are all tried when all are dead', () => {
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

  it('leave out a stopping replica for five seconds', () => {
    let now = 0
    const targets = createTargets(['a', 'b'], () => now)
    targets.reportStopping('a')
    now = 4999
    expect(targets.next()).toBe('b')
    expect(targets.next()).toBe('b')
    now = 5000
    expect(targets.isDown('a')).toBe(false)
  })

  it('offer a replica that was not tried yet, a dead one if there is no other', () => {
    const targets = createTargets(['a', 'b', 'c'])
    expect(targets.next(new Set(['a', 'c']))).toBe('b')
    targets.reportDown('b')
    expect(targets.next(new Set(['a', 'c']))).toBe('b')
    expect(targets.next(new Set(['a']))).toBe('c')
  })
})

describe('a replaced list of targets', () => {
  it('keeps the health of the replicas that stay', () => {
    const targets = createTargets(['a', 'b'])
    targets.reportStopping('a')
    expect(targets.replace(['a', 'c'])).toBe(true)
    expect(targets.isDown('a')).toBe(true)
    expect(targets.inOrder()).toEqual(['c'])
    expect(targets.has('b')).toBe(false)
    expect(targets.count).toBe(2)
  })

  it('is no change when it has the same replicas in another order', () => {
    expect(createTargets(['a', 'b']).replace(['b', 'a'])).toBe(false)
  })

  it('forgets that a replica was stopping once it has left the list', () => {
    const targets = createTargets(['a', 'b'])
    targets.reportStopping('a')
    targets.replace(['b'])
    targets.replace(['a', 'b'])
    expect(targets.isDown('a')).toBe(false)
  })
})
