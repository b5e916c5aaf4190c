import { toDecimals } from './exact-number.ts'

/** Groups thousands and writes the minus sign and exponents as people do: -1234.5 is −1,234.5. */
export function formatNumbers(text: string): string {
  return text
    .replace(/\d+(\.\d*)?(e[+-]\d+)?/g, (number) => {
      const [, whole = '', rest = ''] = /^(\d+)(.*)$/.exec(number) ?? []
      return whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest.replace('e+', 'e').replace('e-', 'e−')
    })
    .replace(/^-/, '−')
}

/** A result with a fixed number of decimals; `null` and numbers with an exponent stay as they are. */
export function withDecimals(result: string, decimals: number | null): string {
  return decimals === null || !/^-?[\d.]+$/.test(result) ? result : toDecimals(result, decimals)
}
