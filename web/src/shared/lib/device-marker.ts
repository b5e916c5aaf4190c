import { deviceMarkerCookie } from '@sumlock/contracts/cookies'

/** The marker the server sets beside the session: null on a strange device, '2' on one whose account is discreet. */
export function deviceMarker(): '1' | '2' | null {
  const value = new RegExp(`(?:^|; )${deviceMarkerCookie}=([12])(?:;|$)`).exec(document.cookie)?.[1]
  return value === '1' || value === '2' ? value : null
}
