import { useEffect } from 'react'
import { initialCalculator } from './machine.ts'
import type { CalculatorState, TapeEntry } from './machine.ts'
import { keptHistory } from './preferences.ts'

/** A fresh calculator with the history that was kept. */
export const startingCalculator = (): CalculatorState => ({
  ...initialCalculator,
  history: keptHistory.get(),
})

/** Keeps the history for the next page, where the person wants that. */
export function useKeptHistory(history: readonly TapeEntry[]): void {
  useEffect(() => keptHistory.keep(history), [history])
}
