/** Selects the exports of a module that have type `T`, by name. */
export type ExportsOf<M, T> = { [K in keyof M as M[K] extends T ? K : never]: M[K] }

/** Returns the exports of a module (`import * as module`) that pass the check, by name and in alphabetical order. */
export function exportsOf<M extends object, T>(
  module: M,
  isWanted: (value: object) => value is T & object,
): ExportsOf<M, T> {
  const found = Object.entries(module).filter(
    ([, value]: [string, unknown]) => typeof value === 'object' && value !== null && isWanted(value),
  )
  return Object.fromEntries(found) as ExportsOf<M, T>
}
