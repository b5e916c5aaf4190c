import { toDecimals } from './exact-number.ts'
import { previewOf } from './machine.ts'
import type { CalculatorState } from './calculator-state.ts'

/** Groups thousands and writes the minus sign and exponents as people do: -1234.5 is −1,234.5. */
export function formatNumbers(text: string): string {
  return text
    .replace(/\d+(\.\d*)?(e[+-]\d+)?/g, (number) => {
      const [, whole = '', rest = ''] = /^(\d+)(.*)$/.exec(number) ?? []
      return whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest.replace('e+', 'e').replace('e-', 'e−')
    })
    .replace(/^-/, '−')
}

/** Formats a result with a fixed number of decimals; `null` and numbers with an exponent stay unchanged. */
export function withDecimals(result: string, decimals: number | null): string {
  return decimals === null || !/^-?[\d.]+$/.test(result) ? result : toDecimals(result, decimals)
}

/**
 * Returns the text of the display: typed numbers as they were typed, results with the decimals that the person chose.
 */
export function shownNumber(state: CalculatorState, decimals: number | null): string {
  return state.exact === null ? state.display : withDecimals(state.display, decimals)
}

/** Returns the line under the number: the result that = would show, or the reason why there is none. */
export function noteUnder(state: CalculatorState, decimals: number | null): string {
  if (state.error === 'division by zero') return 'Cannot divide by zero'
  if (state.error === 'too large') return 'The result is too large'
  const preview = previewOf(state)
  return preview === null ? '' : `= ${formatNumbers(withDecimals(preview, decimals))}`
}
