import { useContext, useEffect } from 'react'
import { PreferencesContext } from '../device/preferences.ts'
import type { PreferenceStore } from '../device/preferences.ts'
import { initialCalculator } from './calculator-state.ts'
import type { CalculatorState, TapeEntry } from './calculator-state.ts'

/** Returns a new calculator with the stored history. */
export const startingCalculator = (preferences: PreferenceStore | null): CalculatorState => ({
  ...initialCalculator,
  history: preferences?.history() ?? [],
})

/** Stores the history for the next page, unless the person turned this off. */
export function useKeptHistory(history: readonly TapeEntry[]): void {
  const preferences = useContext(PreferencesContext)
  useEffect(() => preferences?.keepHistory(history), [preferences, history])
}
