import type { Cell } from '../ports.ts'

/** Returns a cell in memory. `onSet` is called after each write. */
export function variable<T>(first: T, onSet: () => void = () => undefined): Cell<T> {
  let value = first
  return {
    get: () => value,
    set: (next) => {
      value = next
      onSet()
    },
  }
}
