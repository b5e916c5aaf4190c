declare global {
  interface Window {
    /** `public/early.js` defines it. */
    endEarlyKeys?: (mustPress: boolean) => void
  }
}

/** Presses, or discards, the keys that were pressed before the first script of the app ran. */
export const endEarlyKeys = (mustPress: boolean): void => window.endEarlyKeys?.(mustPress)
