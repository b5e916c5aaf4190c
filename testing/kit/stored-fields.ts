import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { databaseOwners } from '@sumlock/deployment/provision'
import { repoRoot } from '@sumlock/dev/config'
import { withDatabase } from './database.ts'

/** Returns the cells of the table rows below a heading of `docs/stored-fields.md`. */
function rowsBelow(heading: string): string[][] {
  const text = readFileSync(join(repoRoot, 'docs/stored-fields.md'), 'utf8')
  const [, section = ''] = text.split(`## ${heading}\n`)
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** Returns the names in backticks in a cell; `a.{b,c}` stands for `a.b` and `a.c`. */
const namesIn = (cell = ''): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']) => {
    const [prefix = '', rest] = name.split('{')
    return rest === undefined
      ? [name]
      : rest
          .replace('}', '')
          .split(',')
          .map((field) => prefix + field)
  })

/** Returns the documented fields of each collection, by `database.collection`. */
export function documentedFields(): Map<string, Set<string>> {
  const documented = new Map<string, Set<string>>()
  for (const [collection = '', fields] of rowsBelow('Databases')) {
    const [name = ''] = namesIn(collection)
    const names = name.startsWith('*') ? databaseOwners.map((owner) => owner + name.slice(1)) : [name]
    for (const each of names)
      documented.set(each, new Set([...(documented.get(each) ?? []), ...namesIn(fields)]))
  }
  return documented
}

/** Returns the fields that may still name a person 30 days after the deletion, as `database.collection.field`. */
export const leftOnDay30 = (): string[] =>
  rowsBelow('What is left on day 30').flatMap(([collection, fields]) =>
    namesIn(fields).map((field) => `${namesIn(collection)[0]}.${field}`),
  )

/** Returns the documented fields of each type of event, and for how many hours Kafka keeps the event. */
export const documentedEvents = (): Map<string, { fields: Set<string>; hours: number }> =>
  new Map(
    rowsBelow('Events in Kafka').map(([type, fields, , kept = '']) => [
      namesIn(type)[0] ?? '',
      { fields: new Set(namesIn(fields)), hours: parseInt(kept, 10) },
    ]),
  )

const isRandomName = /^[\da-f]{8}-|^\d+$/

export interface StoredValue {
  /**
   * The path has the form `database.collection.field`. Elements of a list have the path of the list, and a name that is
   * an id or a number becomes `*`.
   */
  path: string
  value: string
}

/** Returns every value that the databases of a stack contain, and every field name that is an id. */
export async function storedValues(stack: Parameters<typeof withDatabase>[0]): Promise<StoredValue[]> {
  const values: StoredValue[] = []
  for (const owner of databaseOwners)
    await withDatabase(stack, owner, async (database) => {
      for (const { name } of await database.listCollections())
        for (const document of await database.collection(name).find().toArray())
          values.push(...valuesIn(document, `${owner}.${name}`))
    })
  return values
}

function valuesIn(value: unknown, path: string): StoredValue[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((one) => valuesIn(one, path))
  const isPlain =
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  if (!isPlain) return [{ path, value: String(value) }]
  return Object.entries(value).flatMap(([name, one]) => {
    if (!isRandomName.test(name)) return valuesIn(one, `${path}.${name}`)
    return [{ path: `${path}.*`, value: name }, ...valuesIn(one, `${path}.*`)]
  })
}

/** Returns whether a path is documented, by itself or by fields below it; `a.*` documents everything below `a`. */
export const isDocumented = (path: string, fields: ReadonlySet<string>): boolean =>
  fields.has(path) ||
  [...fields].some(
    (field) => field.startsWith(`${path}.`) || (field.endsWith('.*') && path.startsWith(field.slice(0, -1))),
  )
