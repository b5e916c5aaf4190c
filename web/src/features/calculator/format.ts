/** Groups thousands and writes the minus sign and exponents as people do: -1234.5 is −1,234.5. */
export function formatNumbers(text: string): string {
  return text
    .replace(/\d+(\.\d*)?(e[+-]\d+)?/g, (number) => {
      const [, whole = '', rest = ''] = /^(\d+)(.*)$/.exec(number) ?? []
      return whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest.replace('e+', 'e').replace('e-', 'e−')
    })
    .replace(/^-/, '−')
}
