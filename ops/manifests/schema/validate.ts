import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Manifest } from '../manifest.ts'
import { nameOf } from '../manifest.ts'
import { kindKey } from './compact.ts'
import type { CompactSchemas, Definition } from './compact.ts'

export const schemasFile = join(import.meta.dirname, 'kubernetes-1.35.json')

/** Answers with what is wrong with a manifest by Kubernetes' published schemas: unknown fields, types, what is missing. */
export function createValidator(schemas: CompactSchemas = readSchemas()): (manifest: Manifest) => string[] {
  const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false, strictRequired: false })
  for (const [format, check] of Object.entries(formats)) ajv.addFormat(format, check)
  const definitions = Object.fromEntries(
    Object.entries(schemas.definitions).map(([name, definition]) => [name, strict(definition)]),
  )
  ajv.addSchema({ $id: 'kubernetes', definitions })
  return (manifest) => {
    const name = schemas.kinds[kindKey(manifest)]
    if (!name)
      return [`${nameOf(manifest)}: ${kindKey(manifest)} is not among the kept schemas: npm run k8s:schemas`]
    const validate = ajv.getSchema(`kubernetes#/definitions/${name}`) as ValidateFunction
    if (validate(manifest)) return []
    return (validate.errors ?? []).map((error) => `${nameOf(manifest)}: ${inWords(error)}`)
  }
}

export const readSchemas = (): CompactSchemas =>
  JSON.parse(readFileSync(schemasFile, 'utf8')) as CompactSchemas

const within = (bits: number) => (value: number) =>
  Number.isInteger(value) && Math.abs(value) < 2 ** (bits - 1)

const formats = {
  int32: { type: 'number', validate: within(32) },
  int64: { type: 'number', validate: within(54) },
  double: { type: 'number', validate: Number.isFinite },
  byte: /^[A-Za-z0-9+/]*={0,2}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
} as const

/** No field that the schema does not name; numbers where Kubernetes takes them beside text. */
function strict(definition: Definition, isTop = true): object {
  if (definition.format === 'int-or-string') return { type: ['string', 'integer'] }
  const { properties, items, additionalProperties, ...rest } = definition
  return {
    ...rest,
    ...(isTop && definition.type === undefined && !definition.$ref ? { type: 'object' } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, property]) => [name, strict(property, false)]),
          ),
          additionalProperties: false,
        }
      : {}),
    ...(items ? { items: strict(items, false) } : {}),
    ...(typeof additionalProperties === 'object'
      ? { additionalProperties: strict(additionalProperties, false) }
      : {}),
  }
}

function inWords({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty } = params as { additionalProperty?: string }
  return `${instancePath || '/'} ${message}${additionalProperty ? `: ${additionalProperty}` : ''}`
}
