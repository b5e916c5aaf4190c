import { z } from 'zod'
import { anyTypes, megabyte, operators, prototypes, unicodeTraps } from './bad-values.ts'
import type { NamedValue } from './bad-values.ts'
import { validSample } from './valid-sample.ts'

export interface BodyCase {
  name: string
  body: string | Buffer
  /** Made from one field of the schema. */
  ofField?: boolean
  /** Of the content; JSON when absent, none when null. */
  contentType?: string | null
  headers?: Readonly<Record<string, string>>
}

export interface BodyCases {
  /** The contract must refuse these. */
  refused: BodyCase[]
  /** Odd, but the contract allows it: there must be a proper answer. */
  odd: BodyCase[]
}

type Fields = Record<string, unknown>

/**
 * Bodies made from the schema of a route: every field with everything it must not be, and the whole with everything
 * that is no such object. Throws when the schema accepts what no schema may (a wrong type, an unknown field).
 */
export function badBodies(schema: z.ZodType, known: Readonly<Fields> = {}): BodyCases {
  const valid = validSample(schema, known) as Fields
  if (!(schema instanceof z.ZodObject)) throw new Error('A body that is no object: teach the generator.')
  const cases: BodyCases = { refused: [...wholeBodies(valid), ...notJson(valid)], odd: [] }
  const put = (name: string, body: unknown, sure: boolean) => {
    const accepted = schema.safeParse(body).success
    if (sure && accepted) throw new Error(`The contract accepts ${name}`)
    cases[accepted ? 'odd' : 'refused'].push({ name, body: JSON.stringify(body), ofField: true })
  }
  for (const [field, fieldSchema] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const right = known[field] ?? validSample(fieldSchema, known)
    const replaced = ({ name, value }: NamedValue, sure: boolean) =>
      put(`${field}: ${name}`, { ...valid, [field]: value }, sure)
    if (!fieldSchema.safeParse(undefined).success) {
      const { [field]: _left, ...rest } = valid
      put(`${field}: missing`, rest, true)
    }
    for (const wrong of anyTypes) replaced(wrong, typeOf(wrong.value) !== typeOf(right))
    for (const wrong of [...operators, ...prototypes]) replaced(wrong, typeOf(right) !== 'object')
    for (const value of [[right], [right, right]])
      replaced({ name: 'in an array', value }, !Array.isArray(right))
    replaced({ name: 'one megabyte', value: megabyte }, true)
    if (typeof right === 'string') {
      for (const trap of unicodeTraps) replaced(trap, false)
      replaced({ name: '60 kB', value: 'k'.repeat(60 * 1024) }, true)
    }
  }
  for (const extra of ['unknown', '$where', 'isAdmin', 'constructor', 'senderId', 'userId_'])
    put(`unknown field ${extra}`, { ...valid, [extra]: Object.values(valid)[0] }, true)
  return cases
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** JSON, but not this object. */
function wholeBodies(valid: Fields): BodyCase[] {
  const text = JSON.stringify(valid)
  const inside = text.slice(1, -1)
  return [
    { name: 'no body', body: '' },
    ...['null', '[]', '"text"', '1', 'true', `[${text}]`, JSON.stringify(text)].map((body) => ({
      name: `body ${body.slice(0, 20)}`,
      body,
    })),
    { name: '__proto__ beside the fields', body: `{${inside},"__proto__":{"isAdmin":true}}` },
    { name: '__proto__ around the fields', body: `{"__proto__":${text}}` },
    { name: 'the same field twice', body: `{${inside},${JSON.stringify(Object.keys(valid)[0])}:{"$gt":""}}` },
    { name: 'very deep', body: `${'['.repeat(30_000)}${']'.repeat(30_000)}` },
    { name: 'very many fields', body: `{${Array.from({ length: 5000 }, (_, n) => `"f${n}":1`).join()}}` },
  ]
}

/** The right fields in a form that is not the one we read. */
function notJson(valid: Fields): BodyCase[] {
  const text = JSON.stringify(valid)
  const form = new URLSearchParams(valid as Record<string, string>)
  const broken = [text.slice(0, -1), `${text}}`, `${text}\0`, '{,}', text.replaceAll('"', "'")]
  return [
    ...broken.map((body, index) => ({ name: `broken JSON ${index + 1}`, body })),
    { name: 'NaN', body: text.replace(/:[^,}]+/, ':NaN') },
    {
      name: 'not UTF-8',
      body: Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff, 0x22, 0x7d])]),
    },
    { name: 'UTF-16', body: Buffer.from(text, 'utf16le') },
    { name: 'without content type', body: text, contentType: null },
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/vnd.api+json',
      'application/json, text/plain',
      'text/plain;application/json',
      'application',
    ].map((contentType) => ({ name: `content type ${contentType}`, body: text, contentType })),
    { name: 'a form', body: form.toString(), contentType: 'application/x-www-form-urlencoded' },
    ...['gzip', 'br', 'identity, gzip', 'x'].map((encoding) => ({
      name: `content encoding ${encoding}`,
      body: text,
      headers: { 'content-encoding': encoding },
    })),
  ]
}
