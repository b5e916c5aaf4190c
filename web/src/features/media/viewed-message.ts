import { createListeners } from '@sumlock/sync/listeners'

/** Holds the id of the message whose picture is shown over the whole window, or null. */
export function createViewedMessage() {
  let id: string | null = null
  let isTold = false
  const changed = createListeners<[]>()
  return {
    get: (): string | null => id,
    subscribe: changed.add,
    set: (next: string | null): void => {
      id = next
      changed.emit()
    },
    /**
     * Whether the person was told since the unlock that a saved copy is outside of the lock. It is not stored, because
     * a mark on the device would reveal that there are pictures.
     */
    isTold: (): boolean => isTold,
    tell: (): void => {
      isTold = true
    },
  }
}
