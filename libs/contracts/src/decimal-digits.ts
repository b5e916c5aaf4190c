/**
 * Returns a decimal digit of any script as 0 to 9. Unicode lists the ten digits of each script from 0 to 9, and
 * scripts may follow one another directly.
 */
function valueOf(digit: string): string {
  let [code = 0] = [digit.codePointAt(0)]
  let position = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(--code))) position += 1
  return String(position % 10)
}

/**
 * Returns the text with the decimal digits of all scripts (Arabic, Persian, Devanagari, full width and so on)
 * replaced by 0 to 9.
 */
export const decimalDigits = (text: string): string => text.replace(/[^0-9\P{Nd}]/gu, valueOf)
