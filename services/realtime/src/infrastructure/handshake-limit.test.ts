import { createHandshakeLimit } from './handshake-limit.ts'

describe('the limit of handshakes', () => {
  it('refuses an address its fourth handshake of three, other addresses none, and nobody in the next window', () => {
    let now = 0
    const limit = createHandshakeLimit(3, () => now)
    const taken = [1, 2, 3, 4].map(() => limit.take('a'))
    expect(taken).toEqual([true, true, true, false])
    expect(limit.take('b')).toBe(true)
    now = 10_000
    expect(limit.take('a')).toBe(true)
  })
})
