import { z } from 'zod'

/** A table shows only this part of a JSON schema. */
interface Schema {
  $ref?: string
  $defs?: Record<string, Schema>
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  format?: string
  type?: string | string[]
}

/**
 * Returns a Markdown table of an object's fields. A nested field is listed with its path, and references are resolved.
 */
export function fieldTable(type: z.ZodType): string {
  const root = z.toJSONSchema(type) as Schema
  const resolve = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : { ...root.$defs?.[$ref.replace('#/$defs/', '')], ...schema }
  const typeOf = (schema: Schema): string => {
    const { const: literal, enum: values, anyOf, items, format, type = 'anything' } = resolve(schema)
    if (literal !== undefined) return `\`${JSON.stringify(literal)}\``
    if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
    if (anyOf) return anyOf.map(typeOf).join(' or ')
    if (items) return `array of ${typeOf(items)}`
    return format ?? [type].flat().join(' or ')
  }
  const rowsOf = ({ properties = {}, required = [] }: Schema, path: string): string[] =>
    Object.entries(properties).flatMap(([key, value]) => {
      const field = resolve(value)
      const presence = required.includes(key) ? '' : ', optional'
      const row = `| \`${path}${key}\` | ${typeOf(field)}${presence} | ${field.description ?? ''} |`
      return [row, ...rowsOf(field, `${path}${key}.`)]
    })
  const rows = rowsOf(root, '')
  if (rows.length === 0) return 'No fields.'
  return ['| Field | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
}
