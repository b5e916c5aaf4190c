import fc from 'fast-check'
import { z } from 'zod'
import { sampleOf } from '../arbitrary-of.ts'
import type { Difference } from './bad-requests.ts'

/** MongoDB would read these values as query operators. */
export const operators: readonly object[] = [
  { $gt: '' },
  { $ne: null },
  { $regex: '.*' },
  { $in: ['a', 'b'] },
  { $where: 'while (true) {}' },
]

/** Merging one of these objects into another one would change every object of the process. */
export const prototypes: readonly object[] = [
  JSON.parse('{"__proto__":{"isAdmin":true}}') as object,
  { constructor: { prototype: { isAdmin: true } } },
  { toString: 'x', valueOf: 'x', length: 1e9 },
]

/** These texts break code that expects one character per letter, or that writes them into headers. */
const unicodeTraps: readonly string[] = [
  'a\ud800b',
  '\udc00',
  'a\u0000b',
  'abc\u202egpj.exe',
  'a\u200b\u200d\u2060b',
  '\u200b\u200b\u200b\u200b',
  '\ufeffabcd',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  `e${'\u0301'.repeat(200)}`,
  '１２３４５６',
  '١٢٣٤٥٦',
  'İİİİ',
  'a\r\nset-cookie: b=c',
  'a\uffffb',
]

/** Each JSON type has one or more of these extreme values. */
const edges: readonly unknown[] = [null, true, 0, -1, 1.5, 1e21, '', '   ', '1', [], {}]

const megabyte = 'm'.repeat(1024 * 1024)
const tooLong = ['k'.repeat(60 * 1024), megabyte]

/** Returns values for one field, for which the contract accepts `right`. The seed makes every run use the same ones. */
function fieldValues(right: unknown): unknown[] {
  const generated = fc.sample(fc.jsonValue({ maxDepth: 2 }), { seed: 13, numRuns: 10 })
  const traps = typeof right === 'string' ? unicodeTraps : []
  return [...edges, ...operators, ...prototypes, ...traps, ...tooLong, [right], [right, right], ...generated]
}

export interface BodyCases {
  /** The contract refuses these bodies. */
  refused: Difference[]
  /** The contract accepts these bodies, although they are unusual. */
  odd: Difference[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns bodies that differ from the good one in one field, and bodies that are not such an object. Throws if the
 * schema accepts an unknown field, the lack of a required one, or a value of another type.
 */
export function badBodies(body: z.ZodType, good: Fields, largest = 50_000): BodyCases {
  const whole = body instanceof z.ZodOptional ? body.unwrap() : body
  // Of several kinds of bodies, that of the good one is used.
  const schema =
    whole instanceof z.ZodDiscriminatedUnion
      ? whole.options.find((option) => z.safeParse(option, good).success)
      : whole
  if (!(schema instanceof z.ZodObject)) throw new Error('Only objects are supported as bodies.')
  const others = otherDocuments(good).filter((other) => other.body !== '' || whole === body)
  const cases: BodyCases = { refused: [...others, ...otherEncodings(good)], odd: [] }
  const add = (name: string, body: Fields, mustBeRefused: boolean) => {
    const isAccepted = schema.safeParse(body).success
    if (mustBeRefused && isAccepted) throw new Error(`The contract accepts a body with ${name}`)
    cases[isAccepted ? 'odd' : 'refused'].push({ name, body: JSON.stringify(body), ofField: true })
  }
  for (const [field, fieldSchema] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const { [field]: right = sampleOf(fieldSchema), ...rest } = good
    if (!fieldSchema.safeParse(undefined).success) add(`${field}: missing`, rest, true)
    for (const value of fieldValues(right)) {
      const text = JSON.stringify(value)
      const isOtherType = kindOf(value) !== kindOf(right) && !(value === null && isNullable(fieldSchema))
      const mustBeRefused = isOtherType || text.length > largest
      add(`${field}: ${text.slice(0, 40)}`, { ...good, [field]: value }, mustBeRefused)
    }
  }
  for (const unknown of ['unknown', '$where', 'isAdmin', 'constructor', 'senderId', 'userId_'])
    add(`the unknown field ${unknown}`, { ...good, [unknown]: 'x' }, true)
  return cases
}

const isNullable = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodOptional ? isNullable(schema.unwrap() as z.ZodType) : schema instanceof z.ZodNullable

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** A route without a body must refuse these. */
export const unexpectedBodies: readonly Difference[] = ['{}', '{"$gt":""}', 'x', megabyte].map((body) => ({
  name: `an unexpected body: ${body.slice(0, 12)}`,
  body,
}))

const named = (name: string, body: string | Buffer, headers: Difference['headers'] = {}) => ({
  name,
  body,
  headers,
})

/** Returns JSON documents that are not the good object. */
function otherDocuments(good: Fields): Difference[] {
  const text = JSON.stringify(good)
  const inside = text.slice(1, -1)
  const documents = ['', 'null', '[]', '"text"', '1', 'true', `[${text}]`, JSON.stringify(text)]
  return [
    ...documents.map((body) => named(`body ${body.slice(0, 20)}`, body)),
    named('__proto__ beside the fields', `{${inside},"__proto__":{"isAdmin":true}}`),
    named('__proto__ around the fields', `{"__proto__":${text}}`),
    named('the same field twice', `{${inside},${JSON.stringify(Object.keys(good)[0])}:{"$gt":""}}`),
    named('very deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`),
    named('very many fields', `{${Array.from({ length: 5000 }, (_, n) => `"f${n}":1`).join()}}`),
  ]
}

/** Returns the good fields in broken JSON, in another encoding, or with another content type. */
function otherEncodings(good: Fields): Difference[] {
  const text = JSON.stringify(good)
  const form = new URLSearchParams(good as Record<string, string>).toString()
  const broken = [text.slice(0, -1), `${text}}`, `${text}\0`, '{,}', text.replaceAll('"', "'")]
  const contentTypes = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'application/json, text/plain',
    'text/plain;application/json',
    'application',
  ]
  return [
    ...broken.map((body, index) => named(`broken JSON ${index + 1}`, body)),
    named('NaN', text.replace(/:[^,}]+/, ':NaN')),
    named('not UTF-8', Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff, 0x22, 0x7d])])),
    named('UTF-16', Buffer.from(text, 'utf16le')),
    named('no content type', text, { 'content-type': null }),
    ...contentTypes.map((type) => named(`content type ${type}`, text, { 'content-type': type })),
    named('a form', form, { 'content-type': 'application/x-www-form-urlencoded' }),
    ...['gzip', 'br', 'identity, gzip', 'x'].map((encoding) =>
      named(`content encoding ${encoding}`, text, { 'content-encoding': encoding }),
    ),
  ]
}
