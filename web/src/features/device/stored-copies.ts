import { deviceStorage } from './safe-storage.ts'

/**
 * The device's storage keeps sealed copies of the person's keys under this name. The server holds the secret that opens
 * the copies and deletes it when the unlock ends.
 */
export const copiesKey = 'calc.k'

/**
 * Removes the copies at once. Deleting the server's secret makes them useless, but the lock may not have reached the
 * server yet.
 */
export const removeCopies = (): void => deviceStorage.remove(copiesKey)
