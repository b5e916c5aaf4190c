/** A set of callbacks of one kind. */
export interface Listeners<T extends unknown[]> {
  add(listener: (...args: T) => void): () => void
  tell(...args: T): void
}

/** Makes an empty set. Adding the same function twice makes two entries, each with its own way out. */
export function createListeners<T extends unknown[]>(): Listeners<T> {
  const entries = new Set<{ listener: (...args: T) => void }>()
  return {
    add(listener) {
      const entry = { listener }
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    tell(...args) {
      for (const { listener } of [...entries]) listener(...args)
    },
  }
}
