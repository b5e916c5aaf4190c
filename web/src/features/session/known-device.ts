const key = 'calc.v'

/** Marks that somebody signed in on this device once. Neutral in name and value. */
export const rememberDevice = (): void => {
  try {
    localStorage.setItem(key, '1')
  } catch {
    // Without storage the device is simply not known next time.
  }
}

export const isKnownDevice = (): boolean => {
  try {
    return localStorage.getItem(key) === '1'
  } catch {
    return false
  }
}
