export interface SafeStorage {
  get: (key: string) => string | null
  /** Returns false if the browser refused; the value is then lost with this page. */
  set: (key: string, value: string) => boolean
  remove: (key: string) => void
}

/** Wraps a browser store. Values stay in memory if the browser blocks it or refuses a write. */
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

/** Shared by all tabs and kept until removed. */
export const deviceStorage: SafeStorage = createSafeStorage(() => window.localStorage)

/** Belongs to this tab only and survives a reload. */
export const tabStorage: SafeStorage = createSafeStorage(() => window.sessionStorage)
