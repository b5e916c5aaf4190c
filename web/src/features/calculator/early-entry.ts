import { isDigitsOnly } from './machine.ts'
import type { CalculatorAction, CalculatorState } from './calculator-state.ts'
import { digitsAfterPlus, isUntouched, reduceCalculation } from './plus-entry.ts'
import type { Calculation } from './plus-entry.ts'

/** `stranger` means that nobody has signed in on this device, or that its owner has logged out. */
export type DeviceKind = 'stranger' | 'known' | 'discreet'

/** Holds what was typed on the first page before the rest of the app had arrived. */
export interface EarlyEntry extends Calculation {
  /** These digits were typed after a plus at 0 on a known device; the value is null outside of such an entry. */
  hidden: string | null
  /** Whether equals was pressed after the hidden digits. */
  isSubmitted: boolean
  /** Digits that were followed by equals. The app still has to try them as the person's number. */
  tried: { digits: string; isAfterPlus: boolean } | null
}

export const emptyEntry = (state: CalculatorState): EarlyEntry => ({
  state,
  plus: null,
  hidden: null,
  isSubmitted: false,
  tried: null,
})

/**
 * Calculates on the first page. On a known device it shows no digit that follows a plus at 0. In discreet mode it shows
 * all digits, as on a device without an account.
 */
export function reduceEarlyEntry(
  early: EarlyEntry,
  action: CalculatorAction,
  device: DeviceKind,
): EarlyEntry {
  if (early.hidden !== null && action !== 'clearHistory')
    return { ...early, ...changeHidden(early.hidden, early.isSubmitted, action) }
  const isDiscreet = device === 'discreet'
  if (action === '+' && device === 'known' && isUntouched(early.state))
    return { ...early, ...reduceCalculation(early, { action: 'C', isDiscreet }), hidden: '' }
  const tried = action === '=' && device !== 'stranger' ? digitsToTry(early) : null
  return { ...early, ...reduceCalculation(early, { action, isDiscreet }), tried: tried ?? early.tried }
}

function digitsToTry(early: EarlyEntry): EarlyEntry['tried'] {
  const afterPlus = digitsAfterPlus(early)
  if (afterPlus !== '') return { digits: afterPlus, isAfterPlus: true }
  return isDigitsOnly(early.state) ? { digits: early.state.keystrokes, isAfterPlus: false } : null
}

function changeHidden(hidden: string, isSubmitted: boolean, action: CalculatorAction): Partial<EarlyEntry> {
  if (action === 'C') return { hidden: null, isSubmitted: false }
  if (isSubmitted || typeof action !== 'string') return {}
  if (action === '=') return { isSubmitted: hidden !== '' }
  if (action === 'backspace') return { hidden: hidden.slice(0, -1) }
  if (action === 'clearEntry') return { hidden: '' }
  return /^\d$/.test(action) ? { hidden: hidden + action } : {}
}

/** Holds the entry of the first page until the app takes it over. */
export function createEarlyEntry() {
  let kept: EarlyEntry | null = null
  return {
    keep: (early: EarlyEntry): void => {
      kept = early
    },
    get: (): EarlyEntry | null => kept,
    forget: (): void => {
      kept = null
    },
  }
}
