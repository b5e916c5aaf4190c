interface WrongEntries {
  numbers: number
  passwords: number
}

let since: WrongEntries = { numbers: 0, passwords: 0 }

/** The wrong numbers and account passwords before the last unlock, kept until they were shown. */
export const wrongEntries = {
  keep: (answer: { wrongEntries?: number; wrongPasswords?: number }): void => {
    since = { numbers: answer.wrongEntries ?? 0, passwords: answer.wrongPasswords ?? 0 }
  },
  get: (): WrongEntries => since,
  areAny: (): boolean => since.numbers + since.passwords > 0,
  forget: (): void => {
    since = { numbers: 0, passwords: 0 }
  },
}
