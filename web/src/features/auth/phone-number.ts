import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { AsYouType, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * Prepares a text for the phone library: turns digits of all scripts into 0 to 9 and a leading `00` into `+`, and
 * removes invisible characters and `tel:`.
 */
const plain = (text: string) =>
  decimalDigits(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/^\s*tel:/i, '')
    .replace(/^[\s(]*(?:00|[+＋])/, '+')

const digitsIn = (text: string) => text.replace(/\D/g, '')

/**
 * Groups the digits of a phone number, complete or not, as its country does. A text stays unchanged if the formatter
 * would drop a part of it, such as an extension.
 */
export function formatPhone(text: string): string {
  const typed = plain(text)
  const formatted = new AsYouType().input(typed)
  const isWhole = digitsIn(formatted) === digitsIn(typed) && !/\p{L}/u.test(typed)
  return isWhole && (formatted !== '' || typed.trim() === '') ? formatted : text
}

/**
 * Returns the number in E.164, or undefined if no such number can exist. A prefix that is dialled only inside its
 * country, such as the zero of `+44 (0)20`, is left out.
 */
export function parsePhone(text: string): string | undefined {
  const parsed = parsePhoneNumberFromString(plain(text), { extract: false })
  return parsed?.isPossible() && parsed.ext === undefined ? parsed.number : undefined
}
