import type { Bytes } from '@sumlock/sealing/bytes'
import { entryDatabase } from './entry-database.ts'

/** Stores bytes under names. All tabs of this device share the entries. */
export interface Entries {
  read(name: string): Promise<Bytes | null>
  /** Resolves when the entry is stored. */
  write(name: string, bytes: Bytes): Promise<void>
  remove(name: string): Promise<void>
  names(): Promise<string[]>
}

const storeName = 'e'
/** Some browsers never answer when their storage is damaged. */
const openWithinMs = 3000

/** Resolves to undefined when the browser has no database or blocks it. */
export async function openEntries(): Promise<Entries | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, openWithinMs))
  const database = await Promise.race([openDatabase().catch(() => undefined), late])
  if (!database) return undefined
  // A logout, here or in another tab, deletes the database, which an open connection would block.
  database.onversionchange = () => database.close()
  const store = (mode: IDBTransactionMode) => database.transaction(storeName, mode).objectStore(storeName)
  return {
    read: async (name) => {
      const found = await resultOf(store('readonly').get(name) as IDBRequest<ArrayBuffer | undefined>)
      return found ? new Uint8Array(found) : null
    },
    write: (name, bytes) => stored(store('readwrite'), (entries) => entries.put(bytes.slice().buffer, name)),
    remove: (name) => stored(store('readwrite'), (entries) => entries.delete(name)),
    names: async () => (await resultOf(store('readonly').getAllKeys())).map(String),
  }
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = window.indexedDB.open(entryDatabase, 1)
  request.onupgradeneeded = () => void request.result.createObjectStore(storeName)
  return resultOf(request)
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser storage failed without a reason'))
  })
}

function stored(store: IDBObjectStore, change: (store: IDBObjectStore) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    store.transaction.oncomplete = () => resolve()
    store.transaction.onabort = () =>
      reject(store.transaction.error ?? new Error('The browser storage failed without a reason'))
    change(store)
  })
}
