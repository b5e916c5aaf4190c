import type { OwnKeys } from './own-keys.ts'

/** Describes the partner's key that this person accepted last. */
export interface AcceptedKey {
  epoch: number
  /** This is the SHA-256 of the public key in base64url. */
  print: string
  /** Whether the person has compared the security code with the partner. */
  isVerified: boolean
}

/** States whether and how a message would be sent now. */
export type Trust =
  /** The keys, or the record of the accepted key, are not loaded yet. */
  | { state: 'unknown' }
  /** The message is sent plain, because this browser has no own key. */
  | { state: 'no-own-key'; isLost: boolean }
  /** The message is sent plain, because the partner has never unlocked in a browser. */
  | { state: 'no-partner-key' }
  /**
   * The message is sealed for the key with this print. `isNew` is true before the first message, which accepts the key.
   */
  | { state: 'sealed'; print: string; isNew: boolean; isVerified: boolean }
  /** The partner's newest key, with this print, is not the accepted one, so the person has to decide. */
  | { state: 'changed'; print: string; wasVerified: boolean }
  /** The server no longer shows a key that was accepted, so nothing is sent. */
  | { state: 'missing' }

export interface TrustInput {
  own: OwnKeys
  /** This is the partner's newest key, and undefined if the partner has none. */
  partner: { epoch: number; print: string } | undefined
  /** This is the record of the accepted key. It is null if there is none, and undefined until it was read. */
  known: AcceptedKey | null | undefined
}

/**
 * Decides how a message would be sent. After a key of the partner was accepted, nothing is sent plain, and no other key
 * is used without the person's consent.
 */
export function trustOf({ own, partner, known }: TrustInput): Trust {
  if (own.keys.length === 0) return { state: 'no-own-key', isLost: own.lostEpochs.length > 0 }
  if (known === undefined) return { state: 'unknown' }
  if (!known)
    return partner
      ? { state: 'sealed', print: partner.print, isNew: true, isVerified: false }
      : { state: 'no-partner-key' }
  if (!partner || partner.epoch < known.epoch) return { state: 'missing' }
  const { print } = partner
  if (print !== known.print) return { state: 'changed', print, wasVerified: known.isVerified }
  return { state: 'sealed', print, isNew: false, isVerified: known.isVerified }
}

/**
 * This stands for a record that does not open. Someone has changed it, so no key counts as accepted, and nothing is
 * sent plain.
 */
export const unreadableKey: AcceptedKey = { epoch: 0, print: '', isVerified: true }
