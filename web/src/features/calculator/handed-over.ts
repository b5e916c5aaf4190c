import { tabStorage } from '../device/safe-storage.ts'
import type { CalculatorState } from './calculator-state.ts'
import { emptyEntry } from './early-entry.ts'
import type { EarlyEntry } from './early-entry.ts'

const key = 'calc.q'

/** What was typed on a page that is being replaced; the page in its place reads it once, as its first step. */
export const handedOver = {
  /** The tape has a store of its own. */
  keep: (early: EarlyEntry): void =>
    void tabStorage.set(key, JSON.stringify({ ...early, state: { ...early.state, history: [] } })),
  /** `fresh` is the calculator that it goes on with. */
  take: (fresh: CalculatorState): EarlyEntry | null => {
    const kept = tabStorage.get(key)
    tabStorage.remove(key)
    if (kept === null) return null
    try {
      const early = JSON.parse(kept) as EarlyEntry
      return { ...emptyEntry(fresh), ...early, state: { ...fresh, ...early.state, history: fresh.history } }
    } catch {
      // Something else wrote it.
      return null
    }
  },
  forget: (): void => tabStorage.remove(key),
}
