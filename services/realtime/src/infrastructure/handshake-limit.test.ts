import { createHandshakeLimit } from './handshake-limit.ts'

describe('the limit of handshakes', () => {
  it('refuses the fourth handshake of an address at a limit of three, and none of other addresses or in the next window', () => {
    let now = 0
    const limit = createHandshakeLimit(3, () => now)
    const taken = [1, 2, 3].map(() => limit.take('192.0.2.1'))
    expect(taken).toEqual([undefined, undefined, undefined])
    now = 4000
    expect(limit.take('192.0.2.1')).toEqual({ reason: 'address', waitMs: 6000 })
    expect(limit.take('192.0.2.2')).toBeUndefined()
    now = 10_000
    expect(limit.take('192.0.2.1')).toBeUndefined()
  })

  it.each([
    ['a /56', 4, (index: number) => `2001:db8:7:12${index.toString(16).padStart(2, '0')}::1`],
    ['a /48', 16, (index: number) => `2001:db8:7:${index.toString(16).padStart(2, '0')}00::1`],
  ])('lets %s make %i times as many as a /64, and leaves other networks theirs', (_, times, at) => {
    const limit = createHandshakeLimit(3, () => 0)
    const admitted = (address: string) => [1, 2, 3, 4].filter(() => limit.take(address) === undefined).length
    const of = Array.from({ length: times * 2 }, (_each, index) => admitted(at(index)))
    expect(of.reduce((sum, count) => sum + count)).toBe(3 * times)
    expect(limit.take(at(times))).toMatchObject({ reason: 'network' })
    expect(admitted('2001:db8:8::1')).toBe(3)
  })
})
