import fc from 'fast-check'
import { createUserCode, formatUserCode, normalizeUserCode } from './user-code.ts'

describe('user codes', () => {
  it('are accepted as they are shown, in lower case and with spaces', () => {
    for (let index = 0; index < 200; index += 1) {
      const code = createUserCode()
      const shown = formatUserCode(code)
      expect(shown).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]$/)
      expect(normalizeUserCode(shown.toLowerCase().replaceAll('-', ' '))).toBe(code)
    }
  })

  it('are refused with one mistyped character', () => {
    const alphabet = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ']
    fc.assert(
      fc.property(fc.nat(7), fc.constantFrom(...alphabet), (at, other) => {
        const code = createUserCode()
        fc.pre(code[at] !== other)
        expect(normalizeUserCode(code.slice(0, at) + other + code.slice(at + 1))).toBeNull()
      }),
    )
  })

  it.each(['', 'ABC', 'ABCDEFGHJ0', 'UUUUUUUUU', '        '])('refuses %j', (text) => {
    expect(normalizeUserCode(text)).toBeNull()
  })
})
