import type { OwnKeys } from './own-keys.ts'

/** The partner's key that this person has accepted last. */
export interface AcceptedKey {
  epoch: number
  /** SHA-256 of the public key, base64url. */
  print: string
  /** Whether the person compared the security code with the partner. */
  isVerified: boolean
}

/** Decides whether and how a message would be sent now. */
export type Trust =
  /** The accepted key could not be read yet. */
  | { state: 'unknown' }
  /** The message is sent plain, because this browser has no own key. */
  | { state: 'no-own-key'; isLost: boolean }
  /** The message is sent plain, because the partner has never unlocked in a browser. */
  | { state: 'no-partner-key' }
  /**
   * The message is sealed for the key with this print. `isNew` is true before the first message, which accepts the key.
   */
  | { state: 'sealed'; print: string; isNew: boolean; isVerified: boolean }
  /** The partner's key, with this print, is not the accepted one, so the person decides. */
  | { state: 'changed'; print: string; wasVerified: boolean }
  /** The server hides a key that it had shown, so nothing is sent. */
  | { state: 'missing' }

export interface TrustInput {
  own: OwnKeys
  /** The partner's newest key. */
  partner: { epoch: number; print: string } | undefined
  /** Undefined until it was read; null if there is none. */
  known: AcceptedKey | null | undefined
}

/** Once a key of the partner was accepted, nothing is sent plain, and no other key is used without the person's consent. */
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

/** A record that does not open was changed by someone, so no key counts as accepted and nothing is sent plain. */
export const unreadableKey: AcceptedKey = { epoch: 0, print: '', isVerified: true }
