import { displayDigits } from './exact-number.ts'
import { cleared } from './calculator-state.ts'
import type { CalculatorState, Digit } from './calculator-state.ts'

/** Returns the state that a typed character extends. After a result or an operator this is a new number. */
function entry(state: CalculatorState): CalculatorState {
  if (!state.fresh) return { ...state, awaitingOperand: false }
  if (state.pendingOperator === null) return cleared(state)
  return {
    ...state,
    display: '0',
    operandKeystrokes: '',
    exact: null,
    fresh: false,
    awaitingOperand: false,
  }
}

export function typeDigit(state: CalculatorState, digit: Digit): CalculatorState {
  const open = entry(state)
  const typed = open.display.replace(/\D/g, '').length
  if (typed >= displayDigits) return { ...state, refusals: state.refusals + 1 }
  return {
    ...open,
    display: open.display === '0' ? digit : open.display + digit,
    exact: null,
    keystrokes: open.keystrokes + digit,
    operandKeystrokes: open.operandKeystrokes + digit,
  }
}

export function typePoint(state: CalculatorState): CalculatorState {
  const open = entry(state)
  if (open.display.includes('.')) return open
  return { ...open, display: `${open.display}.`, exact: null }
}

export function eraseLast(state: CalculatorState): CalculatorState {
  if (state.fresh) return state
  const shorter = state.display.slice(0, -1)
  const display = shorter === '' || shorter === '-' ? '0' : shorter
  const erased = state.display.endsWith('.') ? 0 : 1
  const keystrokes = withoutLast(state.keystrokes, erased)
  const nothingLeft = keystrokes === '' && display === '0'
  return {
    ...state,
    display,
    keystrokes,
    operandKeystrokes: withoutLast(state.operandKeystrokes, erased),
    exact: null,
    plain: state.plain || nothingLeft,
  }
}

/** Erases the whole number that is being typed, or the result, and keeps the calculation before it. */
export function clearEntry(state: CalculatorState): CalculatorState {
  if (state.error || state.pendingOperator === null) return cleared(state)
  if (state.awaitingOperand) return state
  const keystrokes = withoutLast(state.keystrokes, state.operandKeystrokes.length)
  return { ...state, display: '0', operandKeystrokes: '', keystrokes, exact: null, fresh: false }
}

const withoutLast = (text: string, count: number) => text.slice(0, Math.max(0, text.length - count))
