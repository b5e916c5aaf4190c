import { tabStorage } from './safe-storage.ts'

const retryAfterMs = 500
const reloadedAtKey = 'calc.t'
/** A page is reloaded for a missing module at most once within this time. */
const reloadPauseMs = 60_000

/**
 * Loads a part of the app. A failed download is tried once more; then the page is reloaded once, because a new release
 * may have replaced the file. Rejects when that did not help either.
 */
export async function importModule<T>(
  load: () => Promise<T>,
  reload = () => window.location.reload(),
): Promise<T> {
  try {
    return await load()
  } catch {
    await new Promise((resolve) => window.setTimeout(resolve, retryAfterMs))
  }
  try {
    return await load()
  } catch (error) {
    if (!mayReload()) throw error
    reload()
    // Never resolves, so that nothing is rendered while the page is replaced.
    return new Promise<never>(() => undefined)
  }
}

function mayReload(): boolean {
  const now = Date.now()
  if (now - Number(tabStorage.get(reloadedAtKey) ?? 0) < reloadPauseMs) return false
  // Without a stored record, a failure would reload the page endlessly.
  return tabStorage.set(reloadedAtKey, String(now))
}
