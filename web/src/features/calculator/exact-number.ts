import { Big } from 'big.js'

export type Operator = '+' | '−' | '×' | '÷'

/** The calculator works with forty digits and shows twelve, so 1 ÷ 3 × 3 is 1. */
export const displayDigits = 12
const workingDigits = 40
const largestExponent = 999

const Exact = Big()
Exact.PE = displayDigits
Exact.NE = -7

/** Returns the result with forty digits; `null` for a division by zero and for a result that is too large. */
export function calculate(left: string, operator: Operator, right: string): string | null {
  const result = exactly(new Exact(left), operator, new Exact(right))
  return result === null ? null : withinLimits(result)
}

function exactly(left: Big, operator: Operator, right: Big): Big | null {
  if (operator === '+') return left.plus(right)
  if (operator === '−') return left.minus(right)
  if (operator === '×') return left.times(right)
  if (right.eq(0)) return null
  // The library limits decimal places, not digits, so the number of places depends on the size of the result.
  Exact.DP = Math.max(0, workingDigits + right.e - left.e)
  return left.div(right)
}

function withinLimits(number: Big): string | null {
  const short = number.prec(workingDigits)
  if (short.e > largestExponent) return null
  return short.eq(0) || short.e < -largestExponent ? '0' : short.toString()
}

/** Rounds an exact number to the digits of the display. */
export function rounded(number: string): string {
  const value = new Exact(number)
  return value.eq(0) ? '0' : value.prec(displayDigits).toString()
}

export const isZero = (number: string): boolean => new Exact(number).eq(0)

export const negated = (number: string): string => new Exact(number).neg().toString()

/** Formats a number with exactly this many decimals, never as minus zero. */
export const toDecimals = (number: string, decimals: number): string =>
  new Exact(number).toFixed(decimals).replace(/^-(?=[0.]+$)/, '')

/** Reads a number as people and other programs write it; returns `null` for anything else. */
export function readNumber(text: string): string | null {
  const bare = text.replace(/[\s'’_]/g, '').replace(/[−–]/g, '-')
  const [, sign = '', digits = '', exponent = ''] =
    /^([-+]?)[$€£¥]?([\d.,]*\d[\d.,]*)(e[-+]?\d{1,3})?$/i.exec(bare) ?? []
  const plain = withPoint(digits)
  if (plain === null) return null
  return withinLimits(new Exact(`${sign.replace('+', '')}${plain}${exponent}`))
}

/** Removes thousands separators and writes a decimal comma as a point. */
function withPoint(digits: string): string | null {
  if (/^(\d+(\.\d*)?|\.\d+)$/.test(digits)) return digits
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(digits)) return digits.replaceAll(',', '')
  if (/^\d{1,3}(\.\d{3}){2,}$|^\d{1,3}(\.\d{3})+,\d*$/.test(digits))
    return digits.replaceAll('.', '').replace(',', '.')
  return /^\d*,\d*$/.test(digits) ? digits.replace(',', '.') : null
}
