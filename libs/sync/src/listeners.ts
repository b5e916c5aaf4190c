/** Holds callbacks. `add` returns a function that removes the callback. */
export interface Listeners<T extends unknown[]> {
  add(listener: (...args: T) => void): () => void
  emit(...args: T): void
  readonly isEmpty: boolean
}

/** Creates an empty set. Adding the same function twice creates two entries. */
export function createListeners<T extends unknown[]>(): Listeners<T> {
  const entries = new Set<{ listener: (...args: T) => void }>()
  return {
    add(listener) {
      const entry = { listener }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    emit(...args) {
      for (const { listener } of [...entries]) listener(...args)
    },
    get isEmpty() {
      return entries.size === 0
    },
  }
}
