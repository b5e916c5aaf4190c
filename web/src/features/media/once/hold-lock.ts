/**
 * Takes a lock of the browser, which other tabs see. Resolves with a function that ends it, or with null if another tab
 * has it.
 */
export function holdLock(name: string): Promise<(() => void) | null> {
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return Promise.resolve(() => undefined)
  return new Promise((resolve) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null)
        return new Promise<void>((release) => resolve(() => release()))
      })
      .catch(() => resolve(() => undefined))
  })
}
