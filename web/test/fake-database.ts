interface FakeRequest {
  result: unknown
  onsuccess?: () => void
  onupgradeneeded?: () => void
}

/** Calls back as the browser does, after the code that made the request. */
function answer(result: unknown, before?: (request: FakeRequest) => void): FakeRequest {
  const request: FakeRequest = { result }
  queueMicrotask(() => {
    before?.(request)
    request.onsuccess?.()
  })
  return request
}

/**
 * Replaces IndexedDB, which jsdom lacks. Returns the records of its only store. `refuse` imitates a browser that blocks
 * storage.
 */
export function offerDatabase({ refuse = false } = {}): Map<string, ArrayBuffer> {
  const records = new Map<string, ArrayBuffer>()
  const openStore = () => {
    const transaction: { oncomplete?: () => void } = {}
    const change = (apply: () => unknown) => {
      queueMicrotask(() => {
        apply()
        queueMicrotask(() => transaction.oncomplete?.())
      })
    }
    return {
      transaction,
      get: (name: string) => answer(records.get(name)),
      getAllKeys: () => answer([...records.keys()]),
      put: (bytes: ArrayBuffer, name: string) => change(() => records.set(name, bytes.slice(0))),
      delete: (name: string) => change(() => records.delete(name)),
    }
  }
  const database = {
    createObjectStore: openStore,
    transaction: () => ({ objectStore: openStore }),
    close: () => undefined,
  }
  const factory = {
    open: () => {
      if (refuse) throw new DOMException('Blocked', 'SecurityError')
      return answer(database, (request) => request.onupgradeneeded?.())
    },
    deleteDatabase: () => answer(records.clear()),
  }
  Object.defineProperty(window, 'indexedDB', { configurable: true, value: factory })
  return records
}
