import { createInvalidationLog } from './invalidation-log.ts'

describe('the log of invalidated sessions', () => {
  it('names a session only to a question from before', () => {
    const log = createInvalidationLog()
    const before = log.position()
    log.add('a')
    expect(log.namedSince('a', before)).toBe(true)
    expect(log.namedSince('a', log.position())).toBe(false)
    expect(log.namedSince('b', before)).toBe(false)
  })

  it('names every session to a question that is older than what it remembers', () => {
    const log = createInvalidationLog(2)
    const before = log.position()
    for (const sid of ['a', 'b', 'c']) log.add(sid)
    expect(log.namedSince('a', before)).toBe(true)
    expect(log.namedSince('other', before)).toBe(true)
    expect(log.namedSince('other', log.position())).toBe(false)
  })

  it('names every session after a reset', () => {
    const log = createInvalidationLog()
    const before = log.position()
    log.addAll()
    expect(log.namedSince('a', before)).toBe(true)
    expect(log.namedSince('a', log.position())).toBe(false)
  })
})
