import { pinMaxLength, pinMinLength } from '@sumlock/contracts/pin-length'
import type { CalculatorAction, CalculatorState } from './calculator-state.ts'
import { reduceCalculator } from './machine.ts'

/** A calculation, and how far an entry after a plus at 0 has come in discreet mode. */
export interface Calculation {
  state: CalculatorState
  /**
   * `open`: only a plus at 0 and digits were pressed. `over`: equals followed. Always null outside of discreet mode.
   */
  plus: 'open' | 'over' | null
}

export interface Press {
  action: CalculatorAction
  isDiscreet: boolean
}

export const isUntouched = ({ display, pendingOperator, keystrokes }: CalculatorState): boolean =>
  display === '0' && pendingOperator === null && keystrokes === ''

/** Returns the digits after a plus at 0 if equals would try them, otherwise an empty text. */
export function digitsAfterPlus({ state: { operandKeystrokes }, plus }: Calculation): string {
  const { length } = operandKeystrokes
  return plus === 'open' && length >= pinMinLength && length <= pinMaxLength ? operandKeystrokes : ''
}

/**
 * Calculates key by key like a stranger's calculator, except that digits tried after a plus at 0 leave no line on the
 * tape.
 */
export function reduceCalculation(before: Calculation, { action, isDiscreet }: Press): Calculation {
  const state = reduceCalculator(before.state, action)
  const plus = isDiscreet ? plusAfter(before, action) : null
  const leavesLine = action !== '=' || plus !== 'over'
  return { state: leavesLine ? state : { ...state, history: before.state.history }, plus }
}

function plusAfter(before: Calculation, action: CalculatorAction): Calculation['plus'] {
  const { state, plus } = before
  if (action === 'clearHistory') return plus
  if (action === '+') return isUntouched(state) ? 'open' : null
  if (action === '=') return plus === 'over' || digitsAfterPlus(before) !== '' ? 'over' : null
  const isOfEntry = typeof action === 'string' && /^(?:\d|backspace|clearEntry)$/.test(action)
  return plus === 'open' && isOfEntry ? 'open' : null
}
