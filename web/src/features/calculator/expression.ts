import type { Operator } from './exact-number.ts'

export type Step = { operand: string; operator: Operator }

/** Keys are evaluated one by one, so a sum that is then multiplied is written in brackets. */
export function expressionOf(steps: Step[]): string {
  return steps.reduce((text, { operand, operator }, index) => {
    const whole = `${text} ${operand}`.trim()
    const last = steps[index - 1]?.operator
    const binds = operator === '×' || operator === '÷'
    return binds && (last === '+' || last === '−') ? `(${whole}) ${operator}` : `${whole} ${operator}`
  }, '')
}
