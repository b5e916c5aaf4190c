import { concat } from './bytes.ts'
import type { Bytes } from './bytes.ts'

/** A key of WebCrypto. */
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const ivLength = 12

/** HKDF-SHA-256 without salt, as an AES-256-GCM key that cannot be read. */
export async function deriveKey(secret: Bytes, info: Bytes): Promise<Key> {
  const source = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  const target = { name: 'AES-GCM', length: 256 }
  return crypto.subtle.deriveKey(algorithm, source, target, false, ['encrypt', 'decrypt'])
}

export const importAesKey = (raw: Bytes): Promise<Key> =>
  crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])

/** A random nonce (12 bytes) and the ciphertext with its tag (16 bytes). */
export async function seal(key: Key, plain: Bytes, additionalData: Bytes): Promise<Bytes> {
  const iv = crypto.getRandomValues(new Uint8Array(ivLength))
  const algorithm = { name: 'AES-GCM', iv, additionalData }
  return concat(iv, new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plain)))
}

/** Rejects with an `OperationError` when key, bytes or additional data differ from `seal`. */
export async function open(key: Key, box: Bytes, additionalData: Bytes): Promise<Bytes> {
  const algorithm = { name: 'AES-GCM', iv: box.subarray(0, ivLength), additionalData }
  return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, box.subarray(ivLength)))
}
