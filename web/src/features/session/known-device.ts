import { deviceStorage } from '../../shared/lib/safe-storage.ts'

const key = 'calc.v'

/** Marks that somebody signed in on this device once. Neutral in name and value. */
export const rememberDevice = (): void => void deviceStorage.set(key, '1')

export const isKnownDevice = (): boolean => deviceStorage.get(key) === '1'
