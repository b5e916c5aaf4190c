import { tabStorage } from './safe-storage.ts'

const reloadedAtKey = 'calc.t'
/** A page reloads itself at most once within this time. */
const reloadPauseMs = 60_000

/** Whether a page may reload itself. Records the reload if it may. */
export function mayReload(): boolean {
  const now = Date.now()
  if (now - Number(tabStorage.get(reloadedAtKey) ?? 0) < reloadPauseMs) return false
  // Without a stored record, a failure would reload the page endlessly.
  return tabStorage.set(reloadedAtKey, String(now))
}
