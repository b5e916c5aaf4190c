interface UnlockAnswer {
  wrongEntries?: number | undefined
  wrongPasswords?: number | undefined
  /** When a reset would have taken place that this unlock has cancelled. */
  cancelledResetDueAt?: string | undefined
}

let since: UnlockAnswer = {}

/** The wrong numbers and account passwords, and the reset, before the last unlock, kept until they were shown. */
export const wrongEntries = {
  keep: ({ wrongEntries, wrongPasswords, cancelledResetDueAt }: UnlockAnswer): void => {
    since = { wrongEntries, wrongPasswords, cancelledResetDueAt }
  },
  get: (): UnlockAnswer => since,
  areAny: (): boolean => !!(since.wrongEntries || since.wrongPasswords || since.cancelledResetDueAt),
  forget: (): void => {
    since = {}
  },
}
