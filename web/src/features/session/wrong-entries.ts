let count = 0

/** The number of wrong entries before the last unlock, kept until it was shown. */
export const wrongEntries = {
  keep: (entries: number): void => {
    count = entries
  },
  get: (): number => count,
  forget: (): void => {
    count = 0
  },
}
