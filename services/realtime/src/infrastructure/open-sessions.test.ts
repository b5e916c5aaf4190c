import { createOpenSessions } from './open-sessions.ts'

const identity = (sid: string, userId = 'u') => ({ sid, userId, unlockedUntilMs: 1, askedAtMs: 1 })

describe('the open sockets', () => {
  it('of a session are eight at most: the ninth displaces the oldest', () => {
    const open = createOpenSessions<number>()
    for (let socket = 1; socket <= 8; socket += 1) expect(open.add(identity('s'), 'c', socket)).toEqual([])
    expect(open.add(identity('s'), 'c', 9)).toEqual([1])
  })

  it('of a person are twenty at most: the 21st displaces the oldest, whichever session it belongs to', () => {
    const open = createOpenSessions<number>()
    for (let socket = 1; socket <= 20; socket += 1)
      expect(open.add(identity(`s${socket % 5}`), 'c', socket)).toEqual([])
    expect(open.add(identity('s0'), 'c', 21)).toEqual([1])
    expect(open.add(identity('other', 'another person'), 'c', 22)).toEqual([])
  })

  it('leave no entry when they are removed, and make room for the next', () => {
    const open = createOpenSessions<number>({ perSession: 1, perPerson: 1 })
    open.add(identity('s'), 'c', 1)
    open.remove('s', 1)
    expect([...open.all()]).toEqual([])
    expect(open.add(identity('s'), 'c', 2)).toEqual([])
  })

  it('are removed in linear time, 30,000 of them within a second', () => {
    const open = createOpenSessions<number>()
    for (let socket = 0; socket < 30_000; socket += 1)
      open.add(identity(`s${socket}`, `u${socket >> 1}`), 'c', socket)
    const startedAt = performance.now()
    for (let socket = 0; socket < 30_000; socket += 1) open.remove(`s${socket}`, socket)
    expect(performance.now() - startedAt).toBeLessThan(1000)
    expect([...open.all()]).toEqual([])
  })
})
