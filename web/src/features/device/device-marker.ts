import { deviceMarkerCookie } from '@sumlock/contracts/cookies'

/**
 * Returns the marker cookie, which is set when an account signs in: '2' for an account in discreet mode, '1' for any
 * other, null on a device without an account.
 */
export function deviceMarker(): '1' | '2' | null {
  const value = new RegExp(`(?:^|; )${deviceMarkerCookie}=([12])(?:;|$)`).exec(document.cookie)?.[1]
  return value === '1' || value === '2' ? value : null
}
