import { deriveKey, importAesKey, open, seal } from './aes.ts'
import type { Key } from './aes.ts'
import { concat, fields } from './bytes.ts'
import type { Bytes } from './bytes.ts'

/** A key belongs to this person. Epochs number the keys of a person from 1. */
export interface KeyOwner {
  userId: string
  epoch: number
}

export interface PublicKey extends KeyOwner {
  /** The value is the uncompressed point of the curve (65 bytes). */
  pub: Bytes
}

/** The server stores a key pair in this form. Opening the box needs the numeric password and the server's share. */
export interface StoredKey extends PublicKey {
  box: Bytes
  /** PBKDF2 used this many iterations. */
  n: number
}

export interface OwnKey extends PublicKey {
  /** WebCrypto refuses to export the key. */
  privateKey: Key
}

export const iterations = 600_000
const mostIterations = 2_000_000
const curve = { name: 'ECDH', namedCurve: 'P-256' } as const

/**
 * Returns PBKDF2-SHA-256 of the digits (32 bytes). It is slow on purpose, and can run while the server's answer is
 * awaited. Throws a RangeError for too few or too many iterations.
 */
export async function stretch(digits: string, userId: string, n = iterations): Promise<Bytes> {
  if (n < iterations || n > mostIterations) throw new RangeError(`${n} iterations are not allowed.`)
  const source = await crypto.subtle.importKey('raw', new TextEncoder().encode(digits), 'PBKDF2', false, [
    'deriveBits',
  ])
  const salt = fields('pin/v1', userId)
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: n }
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, source, 256))
}

/** The share has 32 bytes, which the server gives out for the right number only. */
const boxKey = (stretched: Bytes, share: Bytes, { userId, epoch }: KeyOwner) =>
  deriveKey(concat(stretched, share), fields('wrap/v1', userId, epoch))
const boxData = ({ userId, epoch, pub, n }: Omit<StoredKey, 'box'>) =>
  fields('identity/v1', userId, epoch, pub, n)

/** Creates a key pair. The caller sends `stored` to the server, and imports `pkcs8` without keeping its bytes. */
export async function createKey(owner: KeyOwner, stretched: Bytes, share: Bytes, n = iterations) {
  const pair = await crypto.subtle.generateKey(curve, true, ['deriveBits'])
  const pub = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey))
  return { stored: await boxUp({ ...owner, pub, n }, pkcs8, stretched, share), pkcs8 }
}

/** Encrypts an existing private key under a number and a share. */
export async function boxUp(
  key: Omit<StoredKey, 'box'>,
  pkcs8: Bytes,
  stretched: Bytes,
  share: Bytes,
): Promise<StoredKey> {
  return { ...key, box: await seal(await boxKey(stretched, share, key), pkcs8, boxData(key)) }
}

/**
 * Decrypts the private key (PKCS#8). Rejects if the number, share, person, epoch, public key or iterations are not
 * those it was encrypted with.
 */
export const unbox = async (stored: StoredKey, stretched: Bytes, share: Bytes): Promise<Bytes> =>
  open(await boxKey(stretched, share, stored), stored.box, boxData(stored))

export async function importKey(
  { userId, epoch, pub }: Omit<StoredKey, 'box'>,
  pkcs8: Bytes,
): Promise<OwnKey> {
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, curve, false, ['deriveBits'])
  return { userId, epoch, pub, privateKey }
}

const copyData = ({ userId, epoch, pub }: PublicKey) => fields('copy/v1', userId, epoch, pub)

/**
 * Encrypts the private key for this device. `copyKey` has 32 bytes, which the server gives to an unlocked session
 * only.
 */
export const sealCopy = async (key: PublicKey, pkcs8: Bytes, copyKey: Bytes): Promise<Bytes> =>
  seal(await importAesKey(copyKey), pkcs8, copyData(key))

export const openCopy = async (key: PublicKey, copy: Bytes, copyKey: Bytes): Promise<Bytes> =>
  open(await importAesKey(copyKey), copy, copyData(key))

/** Returns the shared secret of two keys by ECDH (32 bytes). Rejects if `pub` is not a point of the curve. */
export async function agree(privateKey: Key, pub: Bytes): Promise<Bytes> {
  const other = await crypto.subtle.importKey('raw', pub, curve, false, [])
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'ECDH', public: other }, privateKey, 256))
}
