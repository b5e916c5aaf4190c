import { pinMinLength } from '@sumlock/contracts/pin-length'
import { calculate, displayDigits, isZero, negated, rounded } from './exact-number.ts'
import type { Operator } from './exact-number.ts'
import { expressionOf } from './expression.ts'
import type { Step } from './expression.ts'

export type { Operator } from './exact-number.ts'
export type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
export type CalculatorKey = Digit | Operator | '.' | '=' | 'C' | '±' | '%' | 'backspace'
/** `insert` enters a whole number that was not typed: one that was pasted, or a result of the tape. */
export type CalculatorAction = CalculatorKey | 'clearHistory' | { insert: string }

export interface TapeEntry {
  expression: string
  result: string
  /** Must not outlive the page: its last operand may be what opens the device's private part. */
  isTransient?: true
}

export type CalculatorState = {
  display: string
  expression: string
  pendingOperator: Operator | null
  storedNumber: string | null
  /** The next digit starts a new number instead of extending the one shown. */
  fresh: boolean
  history: TapeEntry[]
  /** Raw digits typed since the last clear; leading zeros are kept. */
  keystrokes: string
  /** Raw digits typed since the last operator. */
  operandKeystrokes: string
  error: 'division by zero' | 'too large' | null
  /** False once anything but digits shaped the current entry. */
  plain: boolean
  /** An operator was pressed and its right-hand side has not been given yet. */
  awaitingOperand: boolean
  /** Full precision behind a rounded display; null while a number is being typed. */
  exact: string | null
  steps: Step[]
  /** What another = does to the result. */
  repeat: (Step & { isTransient: boolean }) | null
  /** How many digits were refused because the number is full. */
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

export function reduceCalculator(state: CalculatorState, action: CalculatorAction): CalculatorState {
  if (typeof action === 'object') return insert(state.error ? cleared(state) : state, action.insert)
  if (action === 'clearHistory') return { ...state, history: [] }
  if (action === 'C') return cleared(state)
  if (isDigit(action)) return typeDigit(state.error ? cleared(state) : state, action)
  if (action === '.') return typePoint(state.error ? cleared(state) : state)
  if (action === 'backspace') return state.error ? cleared(state) : eraseLast(state)
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

/** What = would show, while the right-hand side is being given. */
export function previewOf(state: CalculatorState): string | null {
  if (state.pendingOperator === null || state.awaitingOperand) return null
  const result = compute(state)
  return result === null ? null : rounded(result)
}

function isDigit(action: CalculatorKey): action is Digit {
  return action >= '0' && action <= '9'
}

function cleared(state: CalculatorState): CalculatorState {
  return { ...initialCalculator, history: state.history }
}

function insert(state: CalculatorState, number: string): CalculatorState {
  const base = state.pendingOperator === null ? cleared(state) : state
  return { ...showing(base, number), operandKeystrokes: '', plain: false, awaitingOperand: false }
}

/** The state in which a new character extends the display, after a result as after an operator. */
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

function typeDigit(state: CalculatorState, digit: Digit): CalculatorState {
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

function typePoint(state: CalculatorState): CalculatorState {
  const open = entry(state)
  if (open.display.includes('.')) return open
  return { ...open, display: `${open.display}.`, exact: null }
}

function eraseLast(state: CalculatorState): CalculatorState {
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

const withoutLast = (text: string, count: number) => text.slice(0, Math.max(0, text.length - count))

function negate(state: CalculatorState): CalculatorState {
  if (isZero(value(state))) return state
  const display = state.display.startsWith('-') ? state.display.slice(1) : `-${state.display}`
  const exact = state.exact === null ? null : negated(state.exact)
  return { ...state, display, exact, plain: false, awaitingOperand: false }
}

/** A percentage after + or − is taken of the number before it, as on a pocket calculator: 200 + 10 % is 220. */
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

/** The result with the last operator and operand once more, as if they had been entered again. */
function again(state: CalculatorState, repeat: NonNullable<CalculatorState['repeat']>): CalculatorState {
  const { operator, operand } = repeat
  return { ...showing(operate(state, operator), operand), awaitingOperand: false, repeat }
}

/** + and bare digits are how a device is unlocked, perhaps after a number left on the display. */
function mayBePin({ pendingOperator, display, exact, operandKeystrokes }: CalculatorState): boolean {
  if (pendingOperator !== '+' || exact !== null || !/^\d+$/.test(display)) return false
  return operandKeystrokes.length >= pinMinLength
}

function failed(state: CalculatorState): CalculatorState {
  const error = state.pendingOperator === '÷' && isZero(value(state)) ? 'division by zero' : 'too large'
  const expression = state.pendingOperator === null ? '' : `${wholeExpression(state)} =`
  return { ...cleared(state), expression, display: 'Error', error, plain: false }
}

function value(state: CalculatorState): string {
  return state.exact ?? state.display
}

function showing(state: CalculatorState, result: string): CalculatorState {
  return { ...state, display: rounded(result), exact: result, fresh: true }
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
