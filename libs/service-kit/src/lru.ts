/** A map that forgets what was not used for longest once it holds `capacity` entries. */
export class Lru<K, V> {
  readonly #entries = new Map<K, V>()
  readonly #capacity: number
  readonly #onRemoved: ((value: V) => void) | undefined

  /** `onRemoved` hears of every value that leaves the map: forgotten, deleted or replaced. */
  constructor(capacity: number, onRemoved?: (value: V) => void) {
    this.#capacity = capacity
    this.#onRemoved = onRemoved
  }

  /** Without counting as a use. */
  has(key: K): boolean {
    return this.#entries.has(key)
  }

  /** Without counting as a use. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#capacity) this.delete(this.#entries.keys().next().value as K)
  }

  delete(key: K): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#entries.delete(key)
    this.#onRemoved?.(value)
  }
}
