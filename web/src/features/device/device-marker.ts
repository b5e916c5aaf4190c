import { deviceMarkerCookie } from '@sumlock/contracts/cookies'

/**
 * Returns the marker that the server sets next to the session: null on an unknown device, '2' for an account in
 * discreet mode.
 */
export function deviceMarker(): '1' | '2' | null {
  const value = new RegExp(`(?:^|; )${deviceMarkerCookie}=([12])(?:;|$)`).exec(document.cookie)?.[1]
  return value === '1' || value === '2' ? value : null
}
