import type { OwnKeys } from './own-keys.ts'

/** What this person last accepted as the partner's key. */
export interface KnownKey {
  epoch: number
  /** SHA-256 of the public key, base64url. */
  print: string
  /** The person compared the security code with the partner. */
  isVerified: boolean
}

/** What becomes of a message that is sent now. */
export type Trust =
  /** What was accepted earlier could not be read yet. */
  | { state: 'unknown' }
  /** Sent plain: this browser holds no key of its own. */
  | { state: 'no-own-key'; isLost: boolean }
  /** Sent plain: the partner never unlocked in a browser. */
  | { state: 'no-partner-key' }
  /** Sealed for the key with this print; `isNew` before the first message, which accepts it. */
  | { state: 'sealed'; print: string; isNew: boolean; isVerified: boolean }
  /** The partner's key, with this print, is not the accepted one: the person decides. */
  | { state: 'changed'; print: string; wasVerified: boolean }
  /** The server hides a key that it had shown: nothing is sent. */
  | { state: 'missing' }

export interface TrustInput {
  own: OwnKeys
  /** The partner's newest key. */
  partner: { epoch: number; print: string } | undefined
  /** Undefined until it was read; null when there is none. */
  known: KnownKey | null | undefined
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

/** A record that does not open: someone has changed it, so no key counts as accepted and nothing goes plain. */
export const unreadableKey: KnownKey = { epoch: 0, print: '', isVerified: true }
