import type { OpenApiDocument } from '@sumlock/contracts/openapi/document'
import type { Operation } from '@sumlock/contracts/openapi/operation'
import type { JsonSchema } from '@sumlock/contracts/openapi/schema-collector'

/** By operation and field: values that lead somewhere, as an invented id would not. The first of each is the example. */
export type Fixtures = Record<string, Record<string, readonly (string | number)[]>>

/**
 * The document as the fuzzer gets it: wherever there are real values it may choose between one of them and anything the
 * contract allows. Sign-in is left out, because the front desk sees to it.
 */
export function withFixtures(document: OpenApiDocument, fixtures: Fixtures): OpenApiDocument {
  const copy = structuredClone(document)
  copy.components.securitySchemes = {}
  for (const operation of Object.values(copy.paths).flatMap((methods) => Object.values(methods))) {
    operation.security = []
    offer(operation, fixtures[operation.operationId] ?? {})
  }
  return copy
}

function offer({ parameters = [], requestBody }: Operation, fixtures: Fixtures[string]): void {
  for (const parameter of parameters) {
    const values = fixtures[parameter.name]
    if (!values) continue
    parameter.schema = either(values, parameter.schema)
    Object.assign(parameter, { example: values[0] })
  }
  const json = requestBody?.content['application/json']
  if (!json) return
  const properties = json.schema['properties'] as Record<string, JsonSchema>
  const inBody = Object.entries(fixtures).filter(([name]) => name in properties)
  for (const [name, values] of inBody) properties[name] = either(values, properties[name] as JsonSchema)
  if (inBody.length > 0)
    Object.assign(json, { example: Object.fromEntries(inBody.map(([name, [first]]) => [name, first])) })
}

const either = (values: readonly unknown[], schema: JsonSchema): JsonSchema => ({
  anyOf: [{ enum: [...values] }, schema],
})
