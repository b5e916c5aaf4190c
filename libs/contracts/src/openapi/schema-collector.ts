import { z } from 'zod'

export type JsonSchema = Record<string, unknown>

export interface SchemaCollector {
  /** The JSON Schema (2020-12) of what is sent (`input`) or answered (`output`). Named schemas become references. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  /** Every named schema that was met so far, by name. */
  components(): Record<string, JsonSchema>
}

/** Turns contracts into JSON Schema. A schema with an `id` in its metadata is written once and referred to. */
export function createSchemaCollector(): SchemaCollector {
  const named = new Map<string, JsonSchema>()
  return {
    schemaOf(schema, io) {
      // As a property, a schema that has a name itself becomes a reference like any other.
      const wrapped = z.toJSONSchema(z.object({ it: schema }), { io }) as JsonSchema
      const { properties, $defs } = withComponentReferences(wrapped) as {
        properties: { it: JsonSchema }
        $defs?: Record<string, JsonSchema>
      }
      for (const [name, definition] of Object.entries($defs ?? {})) keep(named, name, definition)
      return properties.it
    },
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function keep(named: Map<string, JsonSchema>, name: string, definition: JsonSchema): void {
  const { id: _id, ...rest } = definition
  const known = named.get(name)
  if (known && JSON.stringify(known) !== JSON.stringify(rest))
    throw new Error(`${name} is not the same when it is sent and when it is answered: give it two names.`)
  named.set(name, rest)
}

function withComponentReferences(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')
  return JSON.parse(text) as JsonSchema
}
