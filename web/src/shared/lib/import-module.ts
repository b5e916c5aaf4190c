import { tabStorage } from './safe-storage.ts'

const retryAfterMs = 500
const reloadedAtKey = 'calc.t'
/** A page that was reloaded for a missing module within this time is not reloaded again. */
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
    // Pending for ever, so that nothing is rendered while the page is replaced.
    return new Promise<never>(() => undefined)
  }
}

function mayReload(): boolean {
  const now = Date.now()
  if (now - Number(tabStorage.get(reloadedAtKey) ?? 0) < reloadPauseMs) return false
  // Without a record that survives, one failure would reload for ever.
  return tabStorage.set(reloadedAtKey, String(now))
}
