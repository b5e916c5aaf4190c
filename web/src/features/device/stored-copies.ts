import { deviceStorage } from './safe-storage.ts'

/** Storage key of the copies of the keys. What opens them is at the server, and goes with the unlock. */
export const copiesKey = 'calc.k'

/** After a lock nothing opens them; without a network, the server may not know of the lock yet. */
export const removeCopies = (): void => deviceStorage.remove(copiesKey)
