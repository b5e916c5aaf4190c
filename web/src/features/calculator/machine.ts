import { pinMinLength } from '@sumlock/contracts/pin-length'
import { cleared, showing, value } from './calculator-state.ts'
import type { CalculatorAction, CalculatorKey, CalculatorState, Digit } from './calculator-state.ts'
import { calculate, isZero, negated, rounded } from './exact-number.ts'
import type { Operator } from './exact-number.ts'
import { expressionOf } from './expression.ts'
import { clearEntry, eraseLast, typeDigit, typePoint } from './typing.ts'

export function reduceCalculator(state: CalculatorState, action: CalculatorAction): CalculatorState {
  if (typeof action === 'object') return insert(state.error ? cleared(state) : state, action.insert)
  if (action === 'clearHistory') return { ...state, history: [] }
  if (action === 'C') return cleared(state)
  if (isDigit(action)) return typeDigit(state.error ? cleared(state) : state, action)
  if (action === '.') return typePoint(state.error ? cleared(state) : state)
  if (action === 'backspace') return state.error ? cleared(state) : eraseLast(state)
  if (action === 'clearEntry') return clearEntry(state)
  if (state.error) return state
  if (action === '±') return negate(state)
  if (action === '%') return percent(state)
  if (action === '=') return evaluate(state)
  return operate(state, action)
}

export function isDigitsOnly(state: CalculatorState): boolean {
  return (
    state.plain &&
    !state.error &&
    state.keystrokes !== '' &&
    state.pendingOperator === null &&
    !state.display.includes('.')
  )
}

/** Returns the result that = would show while the right-hand side is being typed. */
export function previewOf(state: CalculatorState): string | null {
  if (state.pendingOperator === null || state.awaitingOperand) return null
  const result = compute(state)
  return result === null ? null : rounded(result)
}

function isDigit(action: CalculatorKey): action is Digit {
  return action >= '0' && action <= '9'
}

function insert(state: CalculatorState, number: string): CalculatorState {
  const base = state.pendingOperator === null ? cleared(state) : state
  return { ...showing(base, number), operandKeystrokes: '', plain: false, awaitingOperand: false }
}

function negate(state: CalculatorState): CalculatorState {
  if (isZero(value(state))) return state
  const display = state.display.startsWith('-') ? state.display.slice(1) : `-${state.display}`
  const exact = state.exact === null ? null : negated(state.exact)
  return { ...state, display, exact, plain: false, awaitingOperand: false }
}

/** A percentage after + or − refers to the number before it, as on a pocket calculator: 200 + 10 % is 220. */
function percent(state: CalculatorState): CalculatorState {
  const share = calculate(value(state), '÷', '100') ?? '0'
  const additive = state.pendingOperator === '+' || state.pendingOperator === '−'
  const whole = additive ? state.storedNumber : null
  const result = whole === null ? share : calculate(share, '×', whole)
  if (result === null) return failed(state)
  return { ...showing(state, result), plain: false, awaitingOperand: false }
}

function operate(state: CalculatorState, operator: Operator): CalculatorState {
  const before = state.awaitingOperand ? state.steps.slice(0, -1) : state.steps
  const operand = state.awaitingOperand ? (state.steps.at(-1)?.operand ?? '0') : operandText(state)
  const running = state.awaitingOperand ? value(state) : compute(state)
  if (running === null) return failed(state)
  const steps = [...before, { operand, operator }]
  return {
    ...showing(state, running),
    expression: expressionOf(steps),
    pendingOperator: operator,
    storedNumber: running,
    steps,
    plain: false,
    awaitingOperand: true,
    repeat: null,
  }
}

function evaluate(state: CalculatorState): CalculatorState {
  if (state.pendingOperator === null && state.repeat) return evaluate(again(state, state.repeat))
  const operator = state.pendingOperator
  if (operator === null) return { ...showing(state, value(state)), awaitingOperand: false }
  const result = compute(state)
  if (result === null) return failed(state)
  const expression = wholeExpression(state)
  const shown = showing(state, result)
  const isTransient = state.repeat?.isTransient ?? mayBePin(state)
  const entered = { expression, result: shown.display, ...(isTransient && { isTransient }) }
  return {
    ...shown,
    expression: `${expression} =`,
    pendingOperator: null,
    storedNumber: null,
    steps: [],
    awaitingOperand: false,
    history: [...state.history, entered],
    repeat: { operator, operand: value(state), isTransient },
  }
}

/** Applies the last operator and operand once more, as if they had been entered again. */
function again(state: CalculatorState, repeat: NonNullable<CalculatorState['repeat']>): CalculatorState {
  const { operator, operand } = repeat
  return { ...showing(operate(state, operator), operand), awaitingOperand: false, repeat }
}

/**
 * The app is unlocked by + and bare digits, perhaps after a number that was left on the display. Returns whether this
 * calculation may be such an attempt.
 */
function mayBePin({ pendingOperator, display, exact, operandKeystrokes }: CalculatorState): boolean {
  if (pendingOperator !== '+' || exact !== null || !/^\d+$/.test(display)) return false
  return operandKeystrokes.length >= pinMinLength
}

function failed(state: CalculatorState): CalculatorState {
  const error = state.pendingOperator === '÷' && isZero(value(state)) ? 'division by zero' : 'too large'
  const expression = state.pendingOperator === null ? '' : `${wholeExpression(state)} =`
  return { ...cleared(state), expression, display: 'Error', error, plain: false }
}

function compute(state: CalculatorState): string | null {
  const { pendingOperator, storedNumber } = state
  if (pendingOperator === null || storedNumber === null) return value(state)
  return calculate(storedNumber, pendingOperator, value(state))
}

const wholeExpression = (state: CalculatorState) => `${expressionOf(state.steps)} ${operandText(state)}`

function operandText(state: CalculatorState): string {
  const text = rounded(value(state)).replace('-', '−')
  return text.startsWith('−') && state.steps.length > 0 ? `(${text})` : text
}
