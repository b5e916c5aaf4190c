/** IndexedDB holds the sealed entries of this device in a database of this name. */
export const entryDatabase = 'calc'

const limitMs = 1000

/**
 * Deletes the database. Resolves after a second at the latest, because another tab that uses the database may delay
 * this.
 */
export function deleteEntries(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    try {
      const request = window.indexedDB.deleteDatabase(entryDatabase)
      request.onsuccess = end
      request.onerror = end
    } catch {
      // The browser has no IndexedDB, or blocks it.
      end()
    }
  })
}
