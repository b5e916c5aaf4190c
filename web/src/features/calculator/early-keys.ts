declare global {
  interface Window {
    /** From `public/early.js`. */
    endEarlyKeys?: (mustPress: boolean) => void
  }
}

/** Presses, or forgets, what was pressed before the first script of the app has run. */
export const endEarlyKeys = (mustPress: boolean): void => window.endEarlyKeys?.(mustPress)
