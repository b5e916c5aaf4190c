interface SinceLastUnlock {
  numbers: number
  passwords: number
  /** When a reset would have taken place that this unlock has cancelled. */
  cancelledReset?: string | undefined
}

interface UnlockAnswer {
  wrongEntries?: number
  wrongPasswords?: number
  cancelledResetDueAt?: string
}

const nothing: SinceLastUnlock = { numbers: 0, passwords: 0 }
let since = nothing

/** The wrong numbers and account passwords, and the reset, before the last unlock, kept until they were shown. */
export const wrongEntries = {
  keep: ({
    wrongEntries: numbers = 0,
    wrongPasswords: passwords = 0,
    cancelledResetDueAt,
  }: UnlockAnswer): void => {
    since = { numbers, passwords, cancelledReset: cancelledResetDueAt }
  },
  get: (): SinceLastUnlock => since,
  areAny: (): boolean => since.numbers + since.passwords > 0 || since.cancelledReset !== undefined,
  forget: (): void => {
    since = nothing
  },
}
