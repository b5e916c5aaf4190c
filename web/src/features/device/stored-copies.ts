import { deviceStorage } from './safe-storage.ts'

/**
 * Name of the entry with the sealed copies of the keys. The server holds the secret that opens them, and deletes it when the
 * unlock ends.
 */
export const copiesKey = 'calc.k'

/** After a lock nothing opens them; without a network, the server may not know of the lock yet. */
export const removeCopies = (): void => deviceStorage.remove(copiesKey)
