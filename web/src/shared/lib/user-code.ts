import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { fragmentOf } from './code-link.ts'

const codeLength = 9
const lettersInCode = /[^0-9A-Z]/g

/** Matches a code in a link or a sentence: three groups, separated as the code is shown. */
const written = /(?<![0-9A-Z])([0-9A-Z]{4})[^0-9A-Z]?([0-9A-Z]{4})[^0-9A-Z]?([0-9A-Z])(?![0-9A-Z])/

const normal = (text: string) => decimalDigits(text).normalize('NFKC').toUpperCase()

/** Extracts a code from typed or pasted text, such as a link or a sentence, and formats it as `XXXX-XXXX-X`. */
export function groupUserCode(text: string): string {
  const found = text.trim().length > codeLength + 2 ? written.exec(normal(fragmentOf(text) ?? text)) : null
  const letters = (found?.[0] ?? normal(text)).replace(lettersInCode, '')
  // No code contains O, I or L, so these letters are misread digits.
  const code = letters.replace(/O/g, '0').replace(/[IL]/g, '1')
  return [code.slice(0, 4), code.slice(4, 8), code.slice(8)].filter((group) => group !== '').join('-')
}
