import { useEffect } from 'react'
import { initialCalculator } from './calculator-state.ts'
import type { CalculatorState, TapeEntry } from './calculator-state.ts'
import { keptHistory } from '../device/preferences.ts'

/** A new calculator with the kept history. */
export const startingCalculator = (): CalculatorState => ({
  ...initialCalculator,
  history: keptHistory.get(),
})

/** Keeps the history for the next page, unless the person chose otherwise. */
export function useKeptHistory(history: readonly TapeEntry[]): void {
  useEffect(() => keptHistory.keep(history), [history])
}
