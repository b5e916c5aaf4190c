import fc from 'fast-check'
import { keyInUrl, objectPathOf } from './media.ts'

const letters = [...'abcXYZ019-_']
const keys = fc.string({ unit: fc.constantFrom(...letters), minLength: 24, maxLength: 24 })

describe('the key in an address', () => {
  it('is found in the path of a file, and in the address of an upload with any origin and query', () => {
    fc.assert(
      fc.property(keys, fc.webAuthority(), fc.webQueryParameters(), (key, host, query) => {
        expect(keyInUrl(objectPathOf(key))).toBe(key)
        expect(keyInUrl(`https://${host}${objectPathOf(key)}?${query}`)).toBe(key)
      }),
    )
  })

  it('is in no address with another path, another length of the key, or anything behind it', () => {
    const other = fc.string({ minLength: 1 }).filter((text) => !/^\?[^#]*$/.test(text))
    fc.assert(
      fc.property(keys, other, (key, text) => {
        expect(keyInUrl(objectPathOf(key) + text)).toBeUndefined()
        expect(keyInUrl(`https://example.com/${text}${objectPathOf(key)}`)).toBeUndefined()
        expect(keyInUrl(objectPathOf(key.slice(1)))).toBeUndefined()
      }),
    )
  })

  it.each([
    'javascript:/api/objects/',
    '//example.com/api/objects/',
    '/api/objects/../objects/',
    '/API/objects/',
  ])('is not in %s<key>', (prefix) => {
    expect(keyInUrl(prefix + 'a'.repeat(24))).toBeUndefined()
  })
})
