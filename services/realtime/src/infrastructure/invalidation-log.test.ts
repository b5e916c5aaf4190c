import { createInvalidationLog } from './invalidation-log.ts'

describe('the log of invalidated sessions', () => {
  it('reports a session only for positions before its invalidation', () => {
    const log = createInvalidationLog()
    const before = log.position()
    log.add('a')
    expect(log.changedSince('a', before)).toBe(true)
    expect(log.changedSince('a', log.position())).toBe(false)
    expect(log.changedSince('b', before)).toBe(false)
  })

  it('reports every session for positions older than its memory', () => {
    const log = createInvalidationLog(2)
    const before = log.position()
    for (const sid of ['a', 'b', 'c']) log.add(sid)
    expect(log.changedSince('a', before)).toBe(true)
    expect(log.changedSince('other', before)).toBe(true)
    expect(log.changedSince('other', log.position())).toBe(false)
  })

  it('reports every session after a reset', () => {
    const log = createInvalidationLog()
    const before = log.position()
    log.addAll()
    expect(log.changedSince('a', before)).toBe(true)
    expect(log.changedSince('a', log.position())).toBe(false)
  })
})
