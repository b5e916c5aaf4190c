import type { SafeStorage } from '../device/safe-storage.ts'

/** The device's storage notes a lock that is due under this key. */
export const recordKey = 'calc.l'

/**
 * Records a lock as soon as a person arrives at the calculator: the page may be closed before the code that decides
 * whether a lock is needed has loaded.
 */
export function createArrival(storage: SafeStorage) {
  let isArmed = false
  return {
    arm: (): void => {
      if (storage.get(recordKey) !== null) return
      isArmed = true
      storage.set(recordKey, '1')
    },
    /** Records a lock that is certainly due, so that the app sends it as soon as it starts on this page. */
    owe: (): void => {
      isArmed = false
      storage.set(recordKey, '1')
    },
    /** Returns whether this page, and not an earlier one, stored the record. */
    isArmed: (): boolean => isArmed,
  }
}

export type Arrival = ReturnType<typeof createArrival>
