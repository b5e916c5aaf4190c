import { Decimal } from 'decimal.js'

export type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
export type Operator = '+' | '−' | '×' | '÷'
export type CalculatorKey = Digit | Operator | '.' | '=' | 'C' | '±' | '%' | 'backspace'
export type CalculatorAction = CalculatorKey | 'clearAll'

export type TapeEntry = { expression: string; result: string }

type Step = { operand: string; operator: Operator }

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
  error: boolean
  /** False once anything but digits shaped the current entry. */
  plain: boolean
  /** An operator was pressed and its right-hand side has not been given yet. */
  awaitingOperand: boolean
  /** Full precision behind a rounded display; null while a number is being typed. */
  exact: string | null
  steps: Step[]
}

export const initialCalculator: CalculatorState = {
  display: '0',
  expression: '',
  pendingOperator: null,
  storedNumber: null,
  fresh: false,
  history: [],
  keystrokes: '',
  error: false,
  plain: true,
  awaitingOperand: false,
  exact: null,
  steps: [],
}

export const displayDigits = 12

// Calculates with forty digits and shows twelve: 1 ÷ 3 × 3 is 1.
const Exact = Decimal.clone({
  precision: 40,
  toExpPos: displayDigits,
  toExpNeg: -7,
  maxE: 999,
  minE: -999,
})

export function reduceCalculator(state: CalculatorState, action: CalculatorAction): CalculatorState {
  if (action === 'clearAll') return initialCalculator
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

function isDigit(action: CalculatorAction): action is Digit {
  return action >= '0' && action <= '9'
}

function cleared(state: CalculatorState): CalculatorState {
  return { ...initialCalculator, history: state.history }
}

/** The state in which a new character extends the display, after a result as after an operator. */
function entry(state: CalculatorState): CalculatorState {
  if (!state.fresh) return { ...state, awaitingOperand: false }
  if (state.pendingOperator === null) return cleared(state)
  return { ...state, display: '0', exact: null, fresh: false, awaitingOperand: false }
}

function typeDigit(state: CalculatorState, digit: Digit): CalculatorState {
  const open = entry(state)
  const typed = open.display.replace(/\D/g, '').length
  if (typed >= displayDigits) return state
  return {
    ...open,
    display: open.display === '0' ? digit : open.display + digit,
    exact: null,
    keystrokes: open.keystrokes + digit,
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
  const keystrokes = state.display.endsWith('.') ? state.keystrokes : state.keystrokes.slice(0, -1)
  const nothingLeft = keystrokes === '' && display === '0'
  return { ...state, display, keystrokes, exact: null, plain: state.plain || nothingLeft }
}

function negate(state: CalculatorState): CalculatorState {
  if (value(state).isZero()) return state
  const display = state.display.startsWith('-') ? state.display.slice(1) : `-${state.display}`
  const exact = state.exact === null ? null : value(state).negated().toString()
  return { ...state, display, exact, plain: false, awaitingOperand: false }
}

/** A percentage after + or − is taken of the number before it, as on a pocket calculator: 200 + 10 % is 220. */
function percent(state: CalculatorState): CalculatorState {
  const share = value(state).div(100)
  const additive = state.pendingOperator === '+' || state.pendingOperator === '−'
  const result = additive && state.storedNumber !== null ? share.times(state.storedNumber) : share
  return { ...showing(state, result), plain: false, awaitingOperand: false }
}

function operate(state: CalculatorState, operator: Operator): CalculatorState {
  const before = state.awaitingOperand ? state.steps.slice(0, -1) : state.steps
  const operand = state.awaitingOperand ? (state.steps.at(-1)?.operand ?? '0') : operandText(state)
  const running = state.awaitingOperand ? value(state) : compute(state)
  if (!running.isFinite()) return failed(state)
  const steps = [...before, { operand, operator }]
  return {
    ...showing(state, running),
    expression: expressionOf(steps),
    pendingOperator: operator,
    storedNumber: running.toString(),
    steps,
    plain: false,
    awaitingOperand: true,
  }
}

function evaluate(state: CalculatorState): CalculatorState {
  if (state.pendingOperator === null) return { ...showing(state, value(state)), awaitingOperand: false }
  const result = compute(state)
  if (!result.isFinite()) return failed(state)
  const expression = `${expressionOf(state.steps)} ${operandText(state)}`
  const shown = showing(state, result)
  return {
    ...shown,
    expression: `${expression} =`,
    pendingOperator: null,
    storedNumber: null,
    steps: [],
    awaitingOperand: false,
    history: [...state.history, { expression, result: shown.display }],
  }
}

function failed(state: CalculatorState): CalculatorState {
  return { ...cleared(state), display: 'Error', error: true, plain: false }
}

function value(state: CalculatorState): Decimal {
  return new Exact(state.exact ?? state.display)
}

function showing(state: CalculatorState, result: Decimal): CalculatorState {
  return { ...state, display: rounded(result), exact: result.toString(), fresh: true }
}

function rounded(number: Decimal): string {
  return number.isZero() ? '0' : number.toSignificantDigits(displayDigits).toString()
}

function compute(state: CalculatorState): Decimal {
  const right = value(state)
  if (state.pendingOperator === null || state.storedNumber === null) return right
  const left = new Exact(state.storedNumber)
  if (state.pendingOperator === '+') return left.plus(right)
  if (state.pendingOperator === '−') return left.minus(right)
  if (state.pendingOperator === '×') return left.times(right)
  return left.div(right)
}

function operandText(state: CalculatorState): string {
  const text = rounded(value(state)).replace('-', '−')
  return text.startsWith('−') && state.steps.length > 0 ? `(${text})` : text
}

/** Keys are evaluated one by one, so a sum that is then multiplied is written in brackets. */
function expressionOf(steps: Step[]): string {
  return steps.reduce((text, { operand, operator }, index) => {
    const whole = `${text} ${operand}`.trim()
    const last = steps[index - 1]?.operator
    const binds = operator === '×' || operator === '÷'
    return binds && (last === '+' || last === '−') ? `(${whole}) ${operator}` : `${whole} ${operator}`
  }, '')
}
