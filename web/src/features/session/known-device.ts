import { deviceMarkerCookie } from '@sumlock/contracts/cookies'
import { deviceMarker } from '../../shared/lib/device-marker.ts'
import { deleteEntries } from '../../shared/lib/entry-database.ts'
import { deviceStorage, tabStorage } from '../../shared/lib/safe-storage.ts'
import { offlineApp } from '../../offline/offline-app.ts'
import { removeCopies } from '../keys/own-keys.ts'

/** Storage key of the tab: a lock ended an export. */
export const endedExportKey = 'calc.x'
/** Storage key of the marker in earlier releases; valid until the cookie is set. */
const formerKey = 'calc.v'
const maxAgeSeconds = 400 * 24 * 3600

/** Whether an account was signed in on this device and was not logged out since. */
export const isKnownDevice = (): boolean => deviceMarker() !== null || deviceStorage.get(formerKey) === '1'

export const isDiscreetDevice = (): boolean => deviceMarker() === '2'

/** Sets the cookie for sessions that are older than it, or after discreet mode was changed on another device. */
export function rememberDevice(isDiscreet: boolean): void {
  const marker = isDiscreet ? '2' : '1'
  if (deviceMarker() !== marker) {
    document.cookie = `${deviceMarkerCookie}=${marker}; path=/; samesite=lax; max-age=${maxAgeSeconds}`
  }
  if (deviceMarker()) deviceStorage.remove(formerKey)
  offlineApp.keep()
}

/** Storage keys of the encrypted unsent text in earlier releases. */
const unsentKeys = ['calc.m', 'calc.n']

/** Removes all traces of the account after a logout. */
export function forgetDevice(): void {
  for (const key of unsentKeys) deviceStorage.remove(key)
  removeCopies()
  offlineApp.drop()
  document.cookie = `${deviceMarkerCookie}=; path=/; max-age=0`
  deviceStorage.remove(formerKey)
  tabStorage.remove(endedExportKey)
  void deleteEntries()
}
