import { dictionary } from '@zxcvbn-ts/language-common'
import { usernameKey } from './user.ts'

/** Contains some 49,000 passwords that are known to be in use, in lower case. */
const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/** Returns whether a stranger would try this password among the first, because it is common or the username itself. */
export const isEasyToGuess = (password: string, username: string): boolean =>
  commonPasswords.has(password.trim().toLowerCase()) || usernameKey(password.trim()) === usernameKey(username)
