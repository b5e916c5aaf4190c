import { createLru } from './lru.ts'

describe('a full LRU map', () => {
  it('evicts only the least recently used entry', () => {
    const map = createLru<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    map.get('a')
    map.set('c', 3)
    expect(['a', 'b', 'c'].filter((key) => map.has(key))).toEqual(['a', 'c'])
  })

  it('does not count has and peek as a use', () => {
    const map = createLru<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    expect(map.has('a')).toBe(true)
    expect(map.peek('a')).toBe(1)
    map.set('c', 3)
    expect(map.has('a')).toBe(false)
  })

  it('reports every value that is replaced, deleted or evicted', () => {
    const removed: number[] = []
    const map = createLru<string, number>(2, (value) => removed.push(value))
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
