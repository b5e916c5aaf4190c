import { rounded } from './exact-number.ts'
import type { Operator } from './exact-number.ts'
import type { TapeEntry } from '../device/preferences.ts'
import type { Step } from './expression.ts'

export type { TapeEntry } from '../device/preferences.ts'
export type { Operator } from './exact-number.ts'
export type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
export type CalculatorKey = Digit | Operator | '.' | '=' | 'C' | '±' | '%' | 'backspace' | 'clearEntry'
/** `insert` enters a whole number that was pasted or taken from the tape. */
export type CalculatorAction = CalculatorKey | 'clearHistory' | { insert: string }

export type CalculatorState = {
  display: string
  expression: string
  pendingOperator: Operator | null
  storedNumber: string | null
  /** Whether the next digit starts a new number instead of extending the one shown. */
  fresh: boolean
  history: TapeEntry[]
  /** These digits were typed since the last clear. Leading zeros count. */
  keystrokes: string
  /** These digits were typed since the last operator. Leading zeros count. */
  operandKeystrokes: string
  error: 'division by zero' | 'too large' | null
  /** False once an operator, ±, % or an inserted number is part of the calculation. */
  plain: boolean
  /** Whether an operator was pressed and its right-hand side was not entered yet. */
  awaitingOperand: boolean
  /** A rounded display has its full precision here; the value is null while a number is being typed. */
  exact: string | null
  steps: Step[]
  /** Pressing = once more repeats this step on the result. */
  repeat: (Step & { isTransient: boolean }) | null
  /** The number of digits that were refused because the number is full. */
  refusals: number
}

export const initialCalculator: CalculatorState = {
  display: '0',
  expression: '',
  pendingOperator: null,
  storedNumber: null,
  fresh: false,
  history: [],
  keystrokes: '',
  operandKeystrokes: '',
  error: null,
  plain: true,
  awaitingOperand: false,
  exact: null,
  steps: [],
  repeat: null,
  refusals: 0,
}

/** Returns whether nothing was entered since the last clear. */
export const isUntouched = ({ display, expression, pendingOperator, keystrokes }: CalculatorState): boolean =>
  display === '0' && expression === '' && pendingOperator === null && keystrokes === ''

/** Starts a new calculation and keeps the history. */
export function cleared(state: CalculatorState): CalculatorState {
  return { ...initialCalculator, history: state.history }
}

/** Returns the number on the display with all its digits. */
export function value(state: CalculatorState): string {
  return state.exact ?? state.display
}

/** Shows a result; the next digit starts a new number. */
export function showing(state: CalculatorState, result: string): CalculatorState {
  return { ...state, display: rounded(result), exact: result, fresh: true }
}
