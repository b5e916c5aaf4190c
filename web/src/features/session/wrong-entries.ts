let count = 0

/** The wrong entries before the last unlock, from its answer until they were shown. */
export const wrongEntries = {
  keep: (entries: number): void => {
    count = entries
  },
  get: (): number => count,
  forget: (): void => {
    count = 0
  },
}
