import { useContext, useEffect } from 'react'
import { PreferencesContext } from '../device/preferences.ts'
import type { PreferenceStore } from '../device/preferences.ts'
import { initialCalculator } from './calculator-state.ts'
import type { CalculatorState, TapeEntry } from './calculator-state.ts'

/** A new calculator with the kept history. */
export const startingCalculator = (preferences: PreferenceStore | null): CalculatorState => ({
  ...initialCalculator,
  history: preferences?.history() ?? [],
})

/** Keeps the history for the next page, unless the person chose otherwise. */
export function useKeptHistory(history: readonly TapeEntry[]): void {
  const preferences = useContext(PreferencesContext)
  useEffect(() => preferences?.keepHistory(history), [preferences, history])
}
