import { deviceMarkerCookie } from '@sumlock/contracts/cookies'
import { deviceMarker } from '../../shared/lib/device-marker.ts'
import { deviceStorage } from '../../shared/lib/safe-storage.ts'

/** Where earlier releases kept the mark; counts until the cookie is there. */
const formerKey = 'calc.v'
const maxAgeSeconds = 400 * 24 * 3600

/** Whether an account is or was signed in on this device, without a chosen logout since. */
export const isKnownDevice = (): boolean => deviceMarker() !== null || deviceStorage.get(formerKey) === '1'

export const isDiscreetDevice = (): boolean => deviceMarker() === '2'

/** Corrects the cookie of a session that began before there was one, or before discreet mode changed on another device. */
export function rememberDevice(isDiscreet: boolean): void {
  const marker = isDiscreet ? '2' : '1'
  if (deviceMarker() !== marker) {
    document.cookie = `${deviceMarkerCookie}=${marker}; path=/; samesite=lax; max-age=${maxAgeSeconds}`
  }
  if (deviceMarker()) deviceStorage.remove(formerKey)
}

/** Where the inner screens keep what is unsent, encrypted. */
const unsentKeys = ['calc.m', 'calc.n']

/** After a chosen logout the device is anybody's again. */
export function forgetDevice(): void {
  for (const key of unsentKeys) deviceStorage.remove(key)
  document.cookie = `${deviceMarkerCookie}=; path=/; max-age=0`
  deviceStorage.remove(formerKey)
}
