import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

export interface SchemaCollector {
  /**
   * Returns the JSON Schema (2020-12) of a request (`input`) or a response (`output`). Named schemas become
   * references.
   */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  /** Returns the named schemas used so far, by name. */
  components(): Record<string, JsonSchema>
}

/** Converts contracts to JSON Schema with zod's own converter. A schema with an `id` in its metadata becomes a component. */
export function createSchemaCollector(): SchemaCollector {
  const named = new Map<string, JsonSchema>()
  return {
    schemaOf(schema, io) {
      // Zod replaces only schemas inside of others by references, so the schema itself is wrapped in an object.
      const wrapped = z.toJSONSchema(z.object({ it: schema }), { io }) as JsonSchema
      const { properties, $defs } = withComponentReferences(wrapped) as {
        properties: { it: JsonSchema }
        $defs?: Record<string, JsonSchema>
      }
      for (const [name, definition] of Object.entries($defs ?? {})) addComponent(named, name, definition)
      return properties.it
    },
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function addComponent(named: Map<string, JsonSchema>, name: string, definition: JsonSchema): void {
  const { id: _id, ...rest } = definition
  const known = named.get(name)
  if (known && JSON.stringify(known) !== JSON.stringify(rest))
    throw new Error(`The schema ${name} differs between requests and responses: use two names.`)
  named.set(name, rest)
}

function withComponentReferences(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')
  return JSON.parse(text) as JsonSchema
}
