import type { SafeStorage } from '../device/safe-storage.ts'

/** Storage key of a recorded lock. */
export const recordKey = 'calc.l'

/**
 * Records a lock as soon as a person arrives at the calculator. The code that finds out whether one is needed comes
 * later, and the page may be closed before.
 */
export function createArrival(storage: SafeStorage) {
  let isArmed = false
  return {
    arm: (): void => {
      if (storage.get(recordKey) !== null) return
      isArmed = true
      storage.set(recordKey, '1')
    },
    /** Records a lock that even this page has to send. */
    owe: (): void => {
      isArmed = false
      storage.set(recordKey, '1')
    },
    /** Whether the record that is stored comes from this page, not from an earlier one. */
    isArmed: (): boolean => isArmed,
  }
}

export type Arrival = ReturnType<typeof createArrival>
