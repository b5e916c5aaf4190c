import { pinMaxLength, pinMinLength } from '@sumlock/contracts/pin-length'
import type { CalculatorAction, CalculatorState } from './calculator-state.ts'
import { reduceCalculator } from './machine.ts'

/** Holds a calculation and, in discreet mode, the progress of an entry that began with a plus at 0. */
export interface Calculation {
  state: CalculatorState
  /**
   * `open` means that only digits were typed after a plus at 0, `over` that equals followed. The value is null for any
   * other entry, and always outside of discreet mode.
   */
  plus: 'open' | 'over' | null
}

export interface Press {
  action: CalculatorAction
  isDiscreet: boolean
}

export const isUntouched = ({ display, pendingOperator, keystrokes }: CalculatorState): boolean =>
  display === '0' && pendingOperator === null && keystrokes === ''

/**
 * Returns the digits after a plus at 0 if pressing equals would try them as the person's number, otherwise an empty
 * text.
 */
export function digitsAfterPlus({ state: { operandKeystrokes }, plus }: Calculation): string {
  const { length } = operandKeystrokes
  return plus === 'open' && length >= pinMinLength && length <= pinMaxLength ? operandKeystrokes : ''
}

/**
 * Handles a key like the calculator of a device without an account, except that digits which are tried after a plus at
 * 0 leave no line on the tape.
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
