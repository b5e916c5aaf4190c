import { createHmac } from 'node:crypto'

/** Crockford's base32 has no I, L, O or U, so that a code survives being read aloud or written down. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

/**
 * Returns the code of a gift: 80 bits of HMAC-SHA-256 over its id. A derived code can be shown and mailed again, although
 * the database holds only its hash.
 */
export function codeOf(giftId: string, key: Buffer): string {
  const bytes = createHmac('sha256', key).update(`gift ${giftId}`).digest()
  // The low five bits of a random byte are evenly distributed, so every character is equally likely.
  return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte & 31]).join('')
}

/** Returns the stored form of a code: HMAC-SHA-256 under another key, in base64url. */
export const hashOfCode = (code: string, key: Buffer): string =>
  createHmac('sha256', key).update(`code ${code}`).digest('base64url')

/**
 * Returns a typed code in the form of `codeOf`; null when the text cannot be a code. Ignores dashes, spaces and case; reads
 * O as 0, and I and L as 1.
 */
export function normalizeUpgradeCode(text: string): string | null {
  const code = text.replace(/[\s-]/g, '').toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1')
  return code.length === length && [...code].every((character) => alphabet.includes(character)) ? code : null
}

/** Formats a code for people: `ABCD-EFGH-JKMN-PQRS`. */
export const formatUpgradeCode = (code: string): string => (code.match(/.{4}/g) ?? [code]).join('-')
