interface SinceUnlock {
  wrongEntries?: number | undefined
  wrongPasswords?: number | undefined
  /** When a reset would have taken place that this unlock has cancelled. */
  cancelledResetDueAt?: string | undefined
}

/** The wrong numbers and account passwords, and the reset, before the last unlock, kept until they were shown. */
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
