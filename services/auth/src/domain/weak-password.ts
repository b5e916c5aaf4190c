import { dictionary } from '@zxcvbn-ts/language-common'
import { usernameKey } from './user.ts'

/** Some 49,000 passwords that are known to be in use, in small letters. */
const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** Whether a stranger would try this password among the first: a common one, or the user name itself. */
export const isEasyToGuess = (password: string, username: string): boolean =>
  commonPasswords.has(password.trim().toLowerCase()) || usernameKey(password.trim()) === usernameKey(username)
