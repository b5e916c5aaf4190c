interface SinceUnlock {
  wrongEntries?: number | undefined
  wrongPasswords?: number | undefined
  /** The reset that this unlock has cancelled was due at this time. */
  cancelledResetDueAt?: string | undefined
}

/**
 * Keeps what happened before the last unlock until it was shown: wrong numbers, wrong account passwords, and a reset
 * that the unlock has cancelled.
 */
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
