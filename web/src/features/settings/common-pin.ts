/** These popular numbers match none of the patterns below. */
const favourites: ReadonlySet<string> = new Set([
  '1122',
  '1313',
  '2580',
  '0852',
  '1379',
  '6969',
  '4200',
  '1004',
  '5683',
  '0007',
])

const step = (digits: string, by: number) =>
  [...digits].every((digit, at) => at === 0 || Number(digit) === (Number(digits[at - 1]) + by + 10) % 10)

/** Returns whether a number is easy to guess: one repeated digit, a row, a repetition, a year or a popular number. */
export function isCommonPin(pin: string): boolean {
  if (pin.length < 4) return false
  const isRow = [0, 1, 9].some((by) => step(pin, by))
  const isRepetition = /^(\d{2,4})\1+$/.test(pin)
  const isYear = /^(?:19|20)\d\d$/.test(pin)
  return isRow || isRepetition || isYear || favourites.has(pin)
}
