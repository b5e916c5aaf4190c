import { deviceMarkerCookie } from '@sumlock/contracts/cookies'
import { deviceMarker } from './device-marker.ts'
import { endedExport } from './ended-export.ts'
import { deleteEntries } from './entry-database.ts'
import { offlineApp } from './offline-app.ts'
import { removeCopies } from './stored-copies.ts'

const maxAgeSeconds = 400 * 24 * 3600

/**
 * Sets the marker cookie if it is missing or if discreet mode was changed on another device, and stores the app for use
 * without a network.
 */
export function rememberDevice(isDiscreet: boolean): void {
  const marker = isDiscreet ? '2' : '1'
  if (deviceMarker() !== marker) {
    document.cookie = `${deviceMarkerCookie}=${marker}; path=/; samesite=lax; max-age=${maxAgeSeconds}`
  }
  offlineApp.keep()
}

/** Removes all traces of the account after a logout. */
export function forgetDevice(): void {
  removeCopies()
  offlineApp.drop()
  document.cookie = `${deviceMarkerCookie}=; path=/; max-age=0`
  endedExport.forget()
  void deleteEntries()
}
