import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { AsYouType, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Digits of all scripts become 0 to 9, and `00` stands for `+`. */
const plain = (text: string) =>
  decimalDigits(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/^\s*tel:/i, '')
    .replace(/^[\s(]*(?:00|[+＋])/, '+')

const digitsIn = (text: string) => text.replace(/\D/g, '')

/**
 * A phone number as its country groups it, as far as it is typed. A text of which the formatter would drop a part, such as an
 * extension, stays as it is.
 */
export function formatPhone(text: string): string {
  const typed = plain(text)
  const formatted = new AsYouType().input(typed)
  const isWhole = digitsIn(formatted) === digitsIn(typed) && !/\p{L}/u.test(typed)
  return isWhole && (formatted !== '' || typed.trim() === '') ? formatted : text
}

/**
 * The number in E.164; undefined when none like it can exist. A prefix that is dialled only inside its country, such as the
 * zero of `+44 (0)20`, is left out.
 */
export function parsePhone(text: string): string | undefined {
  const parsed = parsePhoneNumberFromString(plain(text), { extract: false })
  return parsed?.isPossible() && parsed.ext === undefined ? parsed.number : undefined
}
