import { Session } from 'node:inspector'
import type { Runtime } from 'node:inspector'

/** What a value holds that scripts cannot read: the variables of a closure, the result of a promise, entries of weak maps. */
function createProbe() {
  const shared = globalThis as { probed?: unknown; revealed?: unknown[]; probeId?: string }
  shared.probeId = String(Math.random())
  const inspector = new Session()
  inspector.connect()
  const post = <T>(method: string, params: object = {}): T => {
    let answer: unknown
    inspector.post(method, params, (error, result) => {
      if (error) throw new Error(error.message)
      answer = result
    })
    return answer as T
  }
  const contexts: number[] = []
  inspector.on('Runtime.executionContextCreated', ({ params }) => contexts.push(params.context.id))
  post('Runtime.enable')
  const evaluate = (contextId: number, expression: string) =>
    post<Runtime.EvaluateReturnType>('Runtime.evaluate', { contextId, expression }).result
  const own = contexts.find((id) => evaluate(id, 'globalThis.probeId').value === shared.probeId)
  if (own === undefined) throw new Error('The inspector does not show the context of this test.')
  const propertiesOf = (objectId: string) =>
    post<Runtime.GetPropertiesReturnType>('Runtime.getProperties', { objectId, ownProperties: true })
  const reveal = ({ objectId, value }: Runtime.RemoteObject): unknown => {
    if (objectId === undefined) return value
    shared.revealed = []
    post('Runtime.callFunctionOn', {
      ...{ executionContextId: own, arguments: [{ objectId }] },
      functionDeclaration: 'function (value) { globalThis.revealed.push(value) }',
    })
    return shared.revealed[0]
  }
  const scopesOf = (objectId: string) =>
    propertiesOf(objectId).result.flatMap(({ value }) =>
      value?.objectId && /^(Closure|Block|Catch|Local)/.test(value.description ?? '')
        ? propertiesOf(value.objectId).result
        : [],
    )
  return {
    hiddenIn(value: unknown): [string, unknown][] {
      shared.probed = value
      const { objectId } = evaluate(own, 'globalThis.probed')
      if (!objectId) return []
      const internals = propertiesOf(objectId).internalProperties ?? []
      return internals.flatMap(({ name, value: inner }): [string, unknown][] => {
        if (name === '[[Scopes]]' && inner?.objectId)
          return scopesOf(inner.objectId).flatMap(({ name: variable, value: held }) =>
            held ? [[variable, reveal(held)]] : [],
          )
        if (!inner || !['[[PromiseResult]]', '[[Entries]]', '[[BoundThis]]'].includes(name)) return []
        return [[name, name === '[[Entries]]' ? entriesOf(inner) : reveal(inner)]]
      })
      function entriesOf({ objectId: listId = '' }: Runtime.RemoteObject) {
        return propertiesOf(listId).result.flatMap(({ value: entry }) =>
          (entry?.objectId ? propertiesOf(entry.objectId).result : []).flatMap(({ value: part }) =>
            part ? [reveal(part)] : [],
          ),
        )
      }
    },
    close: () => inspector.disconnect(),
  }
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

function propertiesIn(value: object): [string, unknown][] {
  if (ArrayBuffer.isView(value)) return []
  const entries = value instanceof Map || value instanceof Set ? [...value].entries() : []
  // A getter is not called: what it would read is in its closure, or outside.
  const held = Object.values(Object.getOwnPropertyDescriptors(value)).map(
    (property, index): [string, unknown] => [
      String(Reflect.ownKeys(value)[index]),
      property.get ?? property.value,
    ],
  )
  return [...[...entries].map(([index, entry]): [string, unknown] => [String(index), entry]), ...held]
}

/**
 * The paths from these roots to all values that are sought: through properties, collections, promises and the variables of
 * closures, but not into what is `outside`.
 */
export function pathsTo(
  isSought: (value: unknown) => boolean,
  roots: Readonly<Record<string, unknown>>,
  isOutside: (value: object, name: string) => boolean,
): { found: string[]; visited: number } {
  const probe = createProbe()
  const seen = new Set<unknown>()
  const found: string[] = []
  const queue = Object.entries(roots).map(([name, value]) => ({ path: name, name, value }))
  for (const { path, name, value } of queue) {
    if (isSought(value)) found.push(path)
    if (!isObject(value) || seen.has(value) || isOutside(value, name)) continue
    seen.add(value)
    for (const [key, inner] of [...propertiesIn(value), ...probe.hiddenIn(value)])
      queue.push({ path: `${path} > ${key}`, name: key, value: inner })
  }
  probe.close()
  return { found, visited: seen.size }
}
