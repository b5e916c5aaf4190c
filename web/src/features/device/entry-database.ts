/** The browser's database for the sealed entries of this device. */
export const entryDatabase = 'calc'

const limitMs = 1000

/** Deletes the database. Resolves after a second at the latest, because another tab may keep it open. */
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
      // The browser has no such storage, or blocks it.
      end()
    }
  })
}
