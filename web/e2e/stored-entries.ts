import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/** An entry of a browser database. Each byte is one character of its text. */
export interface StoredEntry {
  place: string
  bytes: string
}

/** Returns all entries of all databases that the browser keeps for the page. */
export const storedEntries = (page: Page): Promise<StoredEntry[]> =>
  page.evaluate(async () => {
    const answered = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(new Error(String(request.error)))
      })
    const asText = (entry: unknown) =>
      entry instanceof ArrayBuffer ? new TextDecoder('latin1').decode(entry) : JSON.stringify(entry)
    const found: { place: string; bytes: string }[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answered(indexedDB.open(name))
      for (const storeName of database.objectStoreNames) {
        const store = database.transaction(storeName).objectStore(storeName)
        for (const entry of await answered<unknown[]>(store.getAll()))
          found.push({ place: `${name} ${storeName}`, bytes: asText(entry) })
      }
      database.close()
    }
    return found
  })

/** Returns the names of the locks that the pages of this browser hold or wait for. */
export const locksIn = (page: Page): Promise<(string | undefined)[]> =>
  page.evaluate(async () => {
    const { held = [], pending = [] } = await navigator.locks.query()
    return [...held, ...pending].map(({ name }) => name)
  })

/** Waits until what was typed is stored. A write asks for its lock when it is begun, and holds the lock until it is done. */
export const waitUntilKept = (page: Page): Promise<void> =>
  expect.poll(() => locksIn(page)).not.toContain('calc.m')
