import { openNewest, releaseOfServer } from './newest-page.ts'
import { mayReload } from './reload-pause.ts'

const retryAfterMs = 500

/**
 * Loads a part of the app. A failed download is tried once more; then the page is reloaded, because a new release may
 * have replaced the file. Rejects if both downloads fail and the server does not answer, or if the page has reloaded
 * itself within the last minute.
 */
export async function importModule<T>(
  load: () => Promise<T>,
  reload: () => void = () => void openNewest(),
): Promise<T> {
  try {
    return await load()
  } catch {
    await new Promise((resolve) => window.setTimeout(resolve, retryAfterMs))
  }
  try {
    return await load()
  } catch (error) {
    if ((await releaseOfServer()) === 'none' || !mayReload()) throw error
    reload()
    // Never resolves, so that nothing is rendered while the page is being replaced.
    return new Promise<never>(() => undefined)
  }
}
