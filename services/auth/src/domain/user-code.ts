import { randomInt } from 'node:crypto'

/** Crockford's base32 has no I, L, O or U, so that a code survives being read aloud or written down. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const checkAlphabet = `${alphabet}*~$=U`
const length = 8

/**
 * Returns eight random characters and Crockford's check character (mod 37), without dashes. Codes whose check character is
 * one of the five signs outside the alphabet are skipped, because these signs are hard to dictate.
 */
export function createUserCode(random: (max: number) => number = randomInt): string {
  for (;;) {
    const body = Array.from({ length }, () => alphabet[random(alphabet.length)]).join('')
    const check = checkCharacter(body)
    if (alphabet.includes(check)) return body + check
  }
}

/**
 * Returns the stored form of a code; null when the code is not valid (wrong length, unknown character, or a typing error
 * that the check character reveals). Ignores dashes, spaces and case; reads O as 0, and I and L as 1.
 */
export function normalizeUserCode(text: string): string | null {
  const code = text.replace(/[\s-]/g, '').toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1')
  const body = code.slice(0, length)
  const valid = code.length === length + 1 && [...body].every((character) => alphabet.includes(character))
  return valid && code.at(-1) === checkCharacter(body) ? code : null
}

/** Formats a code for people: `ABCD-EFGH-7`. */
export const formatUserCode = (code: string): string =>
  `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`

function checkCharacter(body: string): string {
  const value = [...body].reduce((sum, character) => (sum * 32 + alphabet.indexOf(character)) % 37, 0)
  return checkAlphabet[value] as string
}
