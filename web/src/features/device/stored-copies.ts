import { deviceStorage } from './safe-storage.ts'

/**
 * The entry with the sealed copies of the keys. The server holds the secret that opens them and deletes it when the
 * unlock ends.
 */
export const copiesKey = 'calc.k'

/**
 * The copies are useless after a lock. They are removed at once, because the lock may not have reached the server yet.
 */
export const removeCopies = (): void => deviceStorage.remove(copiesKey)
