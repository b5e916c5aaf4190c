/** The value of a decimal digit: Unicode lists the digits of each script from 0 to 9, one script after another. */
function valueOf(digit: string): string {
  let [code = 0] = [digit.codePointAt(0)]
  let position = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(--code))) position += 1
  return String(position % 10)
}

/** The text with the decimal digits of all scripts as 0 to 9: Arabic, Persian, Devanagari, full width and so on. */
export const decimalDigits = (text: string): string => text.replace(/[^0-9\P{Nd}]/gu, valueOf)
