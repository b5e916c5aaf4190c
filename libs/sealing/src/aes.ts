import { concat } from './bytes.ts'
import type { Bytes } from './bytes.ts'

export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const ivLength = 12

/** Derives a key for AES-256-GCM with HKDF-SHA-256 without salt. The key cannot be exported. */
export async function deriveKey(secret: Bytes, info: Bytes): Promise<Key> {
  const source = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  const target = { name: 'AES-GCM', length: 256 }
  return crypto.subtle.deriveKey(algorithm, source, target, false, ['encrypt', 'decrypt'])
}

export const importAesKey = (raw: Bytes): Promise<Key> =>
  crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])

/** Encrypts bytes. The result is a random nonce (12 bytes) and the ciphertext with its tag (16 bytes). */
export async function seal(key: Key, plain: Bytes, additionalData: Bytes): Promise<Bytes> {
  const iv = crypto.getRandomValues(new Uint8Array(ivLength))
  const algorithm = { name: 'AES-GCM', iv, additionalData }
  return concat(iv, new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plain)))
}

/**
 * Decrypts the result of `seal`. Rejects with an `OperationError` when the key, the bytes or the additional data are
 * not the same.
 */
export async function open(key: Key, box: Bytes, additionalData: Bytes): Promise<Bytes> {
  const algorithm = { name: 'AES-GCM', iv: box.subarray(0, ivLength), additionalData }
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, box.subarray(ivLength)))
}
