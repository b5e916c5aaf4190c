import { z } from 'zod'

interface Field {
  name: string
  type: string
  description: string
}

type JsonSchema = Record<string, unknown>

/** A Markdown table of an object's fields, nested ones with their path; references are resolved. */
export function fieldTable(schema: z.ZodType): string {
  const fields = fieldsOf(z.toJSONSchema(schema))
  if (fields.length === 0) return 'No fields.'
  const rows = fields.map(({ name, type, description }) => `| \`${name}\` | ${type} | ${description} |`)
  return ['| Field | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function fieldsOf(root: JsonSchema): Field[] {
  const resolve = (schema: JsonSchema): JsonSchema => {
    if (typeof schema['$ref'] !== 'string') return schema
    const { $ref, ...siblings } = schema as { $ref: string }
    const name = $ref.replace('#/$defs/', '')
    return { ...(root['$defs'] as Record<string, JsonSchema>)[name], ...siblings }
  }
  const walk = (schema: JsonSchema, path: string): Field[] => {
    const { properties = {}, required = [] } = schema as {
      properties?: Record<string, JsonSchema>
      required?: string[]
    }
    return Object.entries(properties).flatMap(([key, value]) => {
      const property = resolve(value)
      const name = path + key
      const description = typeof property['description'] === 'string' ? property['description'] : ''
      const type = typeOf(property, resolve) + (required.includes(key) ? '' : ', optional')
      return [{ name, type, description }, ...walk(property, `${name}.`)]
    })
  }
  return walk(root, '')
}

function typeOf(schema: JsonSchema, resolve: (schema: JsonSchema) => JsonSchema): string {
  const { const: literal, enum: values, anyOf, items, format, type } = schema
  if (literal !== undefined) return `\`${JSON.stringify(literal)}\``
  if (Array.isArray(values)) return values.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  if (Array.isArray(anyOf)) {
    return anyOf.map((option) => typeOf(resolve(option as JsonSchema), resolve)).join(' or ')
  }
  if (items) return `array of ${typeOf(resolve(items as JsonSchema), resolve)}`
  if (typeof format === 'string') return format
  if (Array.isArray(type)) return type.join(' or ')
  return typeof type === 'string' ? type : 'anything'
}
