import { Lru } from './lru.ts'

describe('a full least-recently-used map', () => {
  it('drops the entry that was not read or written for longest, and only that', () => {
    const map = new Lru<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    map.get('a')
    map.set('c', 3)
    expect(['a', 'b', 'c'].filter((key) => map.has(key))).toEqual(['a', 'c'])
  })

  it('does not count looking as reading', () => {
    const map = new Lru<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    expect([map.has('a'), map.peek('a')]).toEqual([true, 1])
    map.set('c', 3)
    expect(map.has('a')).toBe(false)
  })

  it('tells of every value that leaves it', () => {
    const removed: number[] = []
    const map = new Lru<string, number>(2, (value) => removed.push(value))
    map.set('a', 1)
    map.set('a', 2)
    map.delete('a')
    map.delete('a')
    map.set('b', 3)
    map.set('c', 4)
    map.set('d', 5)
    expect(removed).toEqual([1, 2, 3])
  })
})
