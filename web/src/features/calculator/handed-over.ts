import { tabStorage } from '../device/safe-storage.ts'
import type { CalculatorState } from './calculator-state.ts'
import { emptyEntry } from './early-entry.ts'
import type { EarlyEntry } from './early-entry.ts'

const key = 'calc.q'

/** Keeps the entry of a page that is being replaced. The next page takes it before it shows its calculator. */
export const handedOver = {
  /** The history is left out, because the preferences store it. */
  keep: (early: EarlyEntry): void =>
    void tabStorage.set(key, JSON.stringify({ ...early, state: { ...early.state, history: [] } })),
  /** Returns the kept entry once; `fresh` provides the history and any field that the entry lacks. */
  take: (fresh: CalculatorState): EarlyEntry | null => {
    const kept = tabStorage.get(key)
    tabStorage.remove(key)
    if (kept === null) return null
    try {
      const early = JSON.parse(kept) as EarlyEntry
      return { ...emptyEntry(fresh), ...early, state: { ...fresh, ...early.state, history: fresh.history } }
    } catch {
      // The stored value may be damaged.
      return null
    }
  },
  forget: (): void => tabStorage.remove(key),
}
