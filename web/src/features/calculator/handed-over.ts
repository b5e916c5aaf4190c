import { tabStorage } from '../device/safe-storage.ts'
import type { CalculatorState } from './calculator-state.ts'
import { emptyEntry } from './early-entry.ts'
import type { EarlyEntry } from './early-entry.ts'

const key = 'calc.q'

/** Keeps the entry of a page that is being replaced; the next page reads it once, first of all. */
export const handedOver = {
  /** The tape is stored separately. */
  keep: (early: EarlyEntry): void =>
    void tabStorage.set(key, JSON.stringify({ ...early, state: { ...early.state, history: [] } })),
  /** `fresh` is the calculator that continues with the entry. */
  take: (fresh: CalculatorState): EarlyEntry | null => {
    const kept = tabStorage.get(key)
    tabStorage.remove(key)
    if (kept === null) return null
    try {
      const early = JSON.parse(kept) as EarlyEntry
      return { ...emptyEntry(fresh), ...early, state: { ...fresh, ...early.state, history: fresh.history } }
    } catch {
      // Another program may have written the value.
      return null
    }
  },
  forget: (): void => tabStorage.remove(key),
}
