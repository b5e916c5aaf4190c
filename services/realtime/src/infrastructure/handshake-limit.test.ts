import { createHandshakeLimit } from './handshake-limit.ts'

describe('the limit of handshakes', () => {
  it('refuses the fourth handshake of an address at a limit of three, and none of other addresses or in the next window', () => {
    let now = 0
    const limit = createHandshakeLimit(3, () => now)
    const taken = [1, 2, 3, 4].map(() => limit.take('a'))
    expect(taken).toEqual([true, true, true, false])
    expect(limit.take('b')).toBe(true)
    now = 10_000
    expect(limit.take('a')).toBe(true)
  })
})
