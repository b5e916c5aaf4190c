import { deviceStorage } from '../../shared/lib/safe-storage.ts'

const cookieName = 'v'
/** Where earlier releases kept the mark; counts as the cookie until it is replaced by one. */
const formerKey = 'calc.v'
const maxAgeSeconds = 400 * 24 * 3600

export type DeviceMarker = 'plain' | 'discreet'

const cookieValue = () => new RegExp(`(?:^|; )${cookieName}=([12])`).exec(document.cookie)?.[1]

/** What the server left on a device that signed in, beside the session's cookie; null where nobody did. */
export function deviceMarker(): DeviceMarker | null {
  const value = cookieValue()
  if (value) return value === '2' ? 'discreet' : 'plain'
  return deviceStorage.get(formerKey) === '1' ? 'plain' : null
}

export const isKnownDevice = (): boolean => deviceMarker() !== null

/** Gives the cookie to sessions that began before there was one. */
export function rememberDevice(): void {
  if (!cookieValue()) document.cookie = `${cookieName}=1; path=/; samesite=lax; max-age=${maxAgeSeconds}`
  if (cookieValue()) deviceStorage.remove(formerKey)
}

/** After a chosen logout the device is anybody's again. */
export function forgetDevice(): void {
  document.cookie = `${cookieName}=; path=/; max-age=0`
  deviceStorage.remove(formerKey)
}
