/** Reports whether the browser is online. */
export interface Network {
  isOnline: () => boolean
  /** Calls back when the browser goes online or offline. */
  subscribe: (listener: () => void) => () => void
}

export const browserNetwork: Network = {
  isOnline: () => navigator.onLine,
  subscribe: (listener) => {
    window.addEventListener('online', listener)
    window.addEventListener('offline', listener)
    return () => {
      window.removeEventListener('online', listener)
      window.removeEventListener('offline', listener)
    }
  },
}
