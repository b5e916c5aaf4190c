import fc from 'fast-check'
import type { z } from 'zod'
import { fillPath } from '../example-calls.ts'

export interface AddressCase {
  name: string
  target: string
}

/** Returns other spellings of a path. None of them may lead to the route of the path. */
export function otherSpellings(path: string): AddressCase[] {
  const last = path.lastIndexOf('/')
  const joined = (separator: string) => `${path.slice(0, last)}${separator}${path.slice(last + 1)}`
  const lastEncoded = `${path.slice(0, -1)}%${(path.at(-1) as string).charCodeAt(0).toString(16)}`
  const prefixes = ['/', '/.', '/x/..', '/api/%2e%2e', '/api/%2E%2E', '/api/..;', '/api/%252e%252e']
  const apis = ['/api\\', '/api/./', '/API/', '/api%2f', '/api%5c', '/api;x=1/']
  const separators = ['//', '%2F', '/%20']
  const suffixes = '/ . %2e /. /.. %00 %00.html %20 %0d%0aset-cookie:a=b ;x=1 %3fx=1 %ff .json'.split(' ')
  return [
    ...prefixes.map((prefix) => prefix + path),
    ...apis.map((api) => path.replace('/api/', api)),
    ...separators.map(joined),
    ...suffixes.map((suffix) => path + suffix),
    lastEncoded,
    `http://elsewhere.example${path}`,
    `${path}${'/x'.repeat(2000)}`,
  ].map((target) => ({ name: `path ${target.slice(0, 60)}`, target }))
}

/** These encoded texts stand in for a parameter of a path. The seed makes every run use the same ones. */
const randomTexts = fc
  .sample(fc.string({ unit: 'grapheme', minLength: 1 }), { seed: 13, numRuns: 10 })
  .map(encodeURIComponent)

const badIds = [
  ...'x __proto__ constructor $gt [$gt] %7B%22$gt%22:%22%22%7D 1 * %25 %ff %c0%ae %F0%9F%98%80'.split(' '),
  ...'%ED%A0%80 %E2%80%AE %00 .. %2e%2e null undefined {id} :id'.split(' '),
  '00000000-0000-0000-0000-00000000000g',
  '9'.repeat(1500),
  ...randomTexts,
]

/** Returns the path with each of its parameters replaced by values that are not ids. */
export function badParams(path: string, params: Readonly<Record<string, string>>): AddressCase[] {
  return Object.keys(params).flatMap((name) =>
    badIds.map((value) => ({
      name: `${name} ${value.slice(0, 40)}`,
      target: fillPath(path, { ...params, [name]: value }),
    })),
  )
}

const badQueryValues = [
  ...'x 1.5 -1 1e400 NaN [] {} %00 %ff true 9999999999999999999999999999999999999999'.split(' '),
  // `Number()` accepts these, but a query parameter must not.
  ...['', '%20', '0x10', '1e1', '%205', '5%20', '%2B5', '5.0', '1_0'],
]
const badQueryKeys = '[]=1 [$gt]= .$ne=1'.split(' ')
const unknownFields =
  'unknown=1 __proto__=1 __proto__[isAdmin]=1 constructor=1 $where=1 _method=DELETE'.split(' ')

const isFreeText = (type: z.ZodType) => type.safeParse('anything; else').success
const badTexts = ['%00', 'x%00y', 'x'.repeat(1500)]

/** Returns the path with each field of its query missing, invalid, repeated or misspelled, and with unknown fields. */
export function badQueries(path: string, schema: z.ZodObject, good = new URLSearchParams()): AddressCase[] {
  const searches = Object.entries<z.ZodType>(schema.shape as Record<string, z.ZodType>).flatMap(
    ([field, type]) => {
      const others = new URLSearchParams(good)
      others.delete(field)
      const wrong = [
        ...(isFreeText(type) ? badTexts : badQueryValues).map((value) => `${field}=${value}`),
        ...badQueryKeys.map((key) => `${field}${key}`),
        `${field}=1&${field}=2`,
        ...(isFreeText(type) ? [] : [`${field}=1;${field}=2`]),
        ...(type.safeParse(undefined).success ? [] : ['']),
      ]
      return wrong.map((search) => [others.toString(), search])
    },
  )
  const unknown = unknownFields.map((search) => [good.toString(), search])
  return [...searches, ...unknown].map((parts) => {
    const search = parts.filter(Boolean).join('&')
    return { name: `query ${search}`, target: `${path}?${search}` }
  })
}
