/** Reports whether someone may be looking at the page, and when the page should fetch anew at once. */
export interface PagePresence {
  isVisible(): boolean
  /** Calls back when the page is shown again or is back online; returns a function that unsubscribes. */
  onReturn(listener: () => void): () => void
}

export const pagePresence: PagePresence = {
  isVisible: () => !document.hidden,
  onReturn(listener) {
    const onVisibility = () => {
      if (!document.hidden) listener()
    }
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('online', listener)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('online', listener)
    }
  },
}
