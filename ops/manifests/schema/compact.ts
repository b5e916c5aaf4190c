/** A definition of Kubernetes' OpenAPI document (Swagger 2), as far as we keep it. */
export interface Definition {
  type?: string
  format?: string
  properties?: Record<string, Definition>
  required?: string[]
  items?: Definition
  additionalProperties?: Definition | boolean
  enum?: unknown[]
  $ref?: string
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[]
}

export type Definitions = Record<string, Definition>

export interface CompactSchemas {
  /** The Kubernetes release they were taken from. */
  version: string
  /** Name of the definition, by `apps/v1 Deployment`. */
  kinds: Record<string, string>
  definitions: Definitions
}

const kept = [
  'type',
  'format',
  'properties',
  'required',
  'items',
  'additionalProperties',
  'enum',
  '$ref',
] as const

/** Of all of Kubernetes, the kinds in use and what they are made of, without descriptions. Throws for an unknown kind. */
export function compactSchemas(version: string, all: Definitions, used: ReadonlySet<string>): CompactSchemas {
  const kinds = Object.fromEntries(
    [...used].sort().map((wanted) => {
      const found = Object.entries(all).find(([, definition]) =>
        definition['x-kubernetes-group-version-kind']?.some(
          ({ group, version: of, kind }) =>
            kindKey({ apiVersion: group ? `${group}/${of}` : of, kind }) === wanted,
        ),
      )
      if (!found)
        throw new Error(`Kubernetes ${version} does not know ${wanted}. Correct its apiVersion or kind.`)
      return [wanted, found[0]]
    }),
  )
  const definitions: Definitions = {}
  const keep = (name: string): void => {
    if (definitions[name]) return
    definitions[name] = {}
    definitions[name] = strip(all[name] ?? {}, keep)
  }
  for (const name of Object.values(kinds)) keep(name)
  return {
    version,
    kinds,
    definitions: Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

export const kindKey = ({ apiVersion, kind }: { apiVersion: string; kind: string }): string =>
  `${apiVersion} ${kind}`

const prefix = '#/definitions/'

function strip(definition: Definition, keep: (name: string) => void): Definition {
  const slim = Object.fromEntries(kept.flatMap((key) => (key in definition ? [[key, definition[key]]] : [])))
  const copy = slim as Definition
  if (copy.$ref) {
    keep(copy.$ref.slice(prefix.length))
    // Beside a reference only descriptions and defaults stand.
    return { $ref: copy.$ref }
  }
  if (copy.properties)
    copy.properties = Object.fromEntries(
      Object.entries(copy.properties).map(([name, property]) => [name, strip(property, keep)]),
    )
  if (copy.items) copy.items = strip(copy.items, keep)
  if (typeof copy.additionalProperties === 'object')
    copy.additionalProperties = strip(copy.additionalProperties, keep)
  return copy
}
