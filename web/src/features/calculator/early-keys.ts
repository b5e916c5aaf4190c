declare global {
  interface Window {
    /** `public/early.js`, which runs before the app, defines this function. */
    endEarlyKeys?: (mustPress: boolean) => void
  }
}

/**
 * Ends the recording of keys that were pressed before the app's first script ran, and presses these keys if `mustPress`
 * is true.
 */
export const endEarlyKeys = (mustPress: boolean): void => window.endEarlyKeys?.(mustPress)
