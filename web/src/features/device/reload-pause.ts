import { tabStorage } from './safe-storage.ts'

const reloadedAtKey = 'calc.t'
/** A page reloads itself at most once within this time. */
const reloadPauseMs = 60_000

/** Returns whether the page may reload itself now, and if so, records the reload. */
export function mayReload(): boolean {
  const now = Date.now()
  if (Math.abs(now - Number(tabStorage.get(reloadedAtKey) ?? 0)) < reloadPauseMs) return false
  // Without a stored record, a lasting failure would reload the page endlessly.
  return tabStorage.set(reloadedAtKey, String(now))
}
