/** The replicas behind one address, round robin. */
export interface Endpoints {
  /** `http://127.0.0.1:<port>` of a replica: from now on it has its turns. */
  add(endpoint: string): void
  /** It gets nothing new. */
  remove(endpoint: string): void
  /** How often each was chosen. */
  readonly turns: ReadonlyMap<string, number>
  /** Undefined when there is none. */
  next(): string | undefined
}

export function createEndpoints(): Endpoints {
  const endpoints = new Set<string>()
  const turns = new Map<string, number>()
  let turn = 0
  return {
    add: (endpoint) => void endpoints.add(endpoint),
    remove: (endpoint) => void endpoints.delete(endpoint),
    turns,
    next() {
      const all = [...endpoints]
      turn += 1
      const endpoint = all[turn % all.length]
      if (endpoint) turns.set(endpoint, (turns.get(endpoint) ?? 0) + 1)
      return endpoint
    },
  }
}
