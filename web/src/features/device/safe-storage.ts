export interface SafeStorage {
  get: (key: string) => string | null
  /** Returns false if the browser refused the write; the value is then lost when this page closes. */
  set: (key: string, value: string) => boolean
  remove: (key: string) => void
}

/** Wraps a storage of the browser. Values stay in memory if the browser blocks the storage or refuses a write. */
function createSafeStorage(open: () => Storage): SafeStorage {
  const memory = new Map<string, string>()
  const attempt = <T>(action: (storage: Storage) => T): { value: T } | undefined => {
    try {
      return { value: action(open()) }
    } catch {
      return undefined
    }
  }
  return {
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key))?.value ?? null,
    set: (key, value) => {
      const isStored = attempt((storage) => storage.setItem(key, value)) !== undefined
      if (isStored) memory.delete(key)
      else memory.set(key, value)
      return isStored
    },
    remove: (key) => {
      memory.delete(key)
      attempt((storage) => storage.removeItem(key))
    },
  }
}

/** All tabs share these values, which stay until they are removed. */
export const deviceStorage: SafeStorage = createSafeStorage(() => window.localStorage)

/** Only this tab has these values, which survive a reload. */
export const tabStorage: SafeStorage = createSafeStorage(() => window.sessionStorage)
