import { isDigitsOnly, reduceCalculator } from './machine.ts'
import type { CalculatorAction, CalculatorState } from './calculator-state.ts'

/** What was pressed on the first page before the rest of the app had arrived. */
export interface EarlyEntry {
  state: CalculatorState
  /** Digits typed after a plus at 0 on a known device; null outside of such an entry. */
  hidden: string | null
  /** Equals was pressed after the hidden digits. */
  isSubmitted: boolean
  /** Digits that were followed by equals on a known device; empty without. */
  tried: string
}

export const emptyEntry = (state: CalculatorState): EarlyEntry => ({
  state,
  hidden: null,
  isSubmitted: false,
  tried: '',
})

const isUntouched = ({ display, pendingOperator, keystrokes }: CalculatorState) =>
  display === '0' && pendingOperator === null && keystrokes === ''

/** The calculator of the first page. On a known device it shows no digit that follows a plus at 0. */
export function reduceEarlyEntry(early: EarlyEntry, action: CalculatorAction, isKnown: boolean): EarlyEntry {
  if (early.hidden !== null && action !== 'clearHistory')
    return { ...early, ...changeHidden(early.hidden, early.isSubmitted, action) }
  if (action === '+' && isKnown && isUntouched(early.state)) {
    return { ...early, state: reduceCalculator(early.state, 'C'), hidden: '' }
  }
  const tried = action === '=' && isKnown && isDigitsOnly(early.state) ? early.state.keystrokes : early.tried
  return { ...early, state: reduceCalculator(early.state, action), tried }
}

function changeHidden(hidden: string, isSubmitted: boolean, action: CalculatorAction): Partial<EarlyEntry> {
  if (action === 'C') return { hidden: null, isSubmitted: false }
  if (isSubmitted || typeof action !== 'string') return {}
  if (action === '=') return { isSubmitted: hidden !== '' }
  if (action === 'backspace') return { hidden: hidden.slice(0, -1) }
  if (action === 'clearEntry') return { hidden: '' }
  return /^\d$/.test(action) ? { hidden: hidden + action } : {}
}

let kept: EarlyEntry | null = null

/** Hands the entry of the first page over to the app, once. */
export const earlyEntry = {
  keep: (early: EarlyEntry): void => {
    kept = early
  },
  get: (): EarlyEntry | null => kept,
  forget: (): void => {
    kept = null
  },
}
