interface SinceUnlock {
  wrongEntries?: number | undefined
  wrongPasswords?: number | undefined
  /** The time of the pending reset that this unlock has cancelled. */
  cancelledResetDueAt?: string | undefined
}

/** Keeps the wrong numbers, the wrong account passwords and the reset before the last unlock until they were shown. */
export function createWrongEntries() {
  let since: SinceUnlock = {}
  return {
    keep: ({ wrongEntries, wrongPasswords, cancelledResetDueAt }: SinceUnlock): void => {
      since = { wrongEntries, wrongPasswords, cancelledResetDueAt }
    },
    get: (): SinceUnlock => since,
    areAny: (): boolean => !!(since.wrongEntries || since.wrongPasswords || since.cancelledResetDueAt),
    forget: (): void => {
      since = {}
    },
  }
}

export type WrongEntries = ReturnType<typeof createWrongEntries>
