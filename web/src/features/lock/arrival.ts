import { deviceStorage } from '../device/safe-storage.ts'

/** Storage key of a recorded lock. */
export const recordKey = 'calc.l'
let isArmed = false

/**
 * Records a lock as soon as a person arrives at the calculator. The code that finds out whether one is needed comes
 * later, and the page may be closed before.
 */
export const arrival = {
  arm: (): void => {
    if (deviceStorage.get(recordKey) !== null) return
    isArmed = true
    deviceStorage.set(recordKey, '1')
  },
  /** Records a lock that even this page has to send. */
  owe: (): void => {
    isArmed = false
    deviceStorage.set(recordKey, '1')
  },
  /** Whether the record that is stored comes from this page, not from an earlier one. */
  isArmed: (): boolean => isArmed,
}
