import { importAesKey, open, seal } from '@sumlock/sealing/aes'
import { concat, fromBase64, toBase64Url } from '@sumlock/sealing/bytes'
import type { Bytes } from '@sumlock/sealing/bytes'

/** Every entry has this size in bytes, so that it reveals neither whether it contains text nor how much. */
export const entryBytes = 64 * 1024
/** AES-GCM adds a nonce and a tag of this size together. */
const overheadBytes = 28
const capacity = entryBytes - overheadBytes
const space = 0x20

export interface Sealing {
  /** The entry of this key has this name, which reveals nothing about the key. */
  readonly name: Promise<string>
  /** Whether the value fits into an entry. */
  fits(value: unknown): boolean
  /** Encrypts padded JSON into exactly one entry. */
  seal(value: unknown): Promise<Bytes>
  /** Returns the sealed value; undefined if the entry was written with another key, is damaged, or is random. */
  open(entry: Bytes): Promise<unknown>
}

const noData = new Uint8Array()
const encoded = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

/** Seals with AES-256-GCM. Returns undefined on plain http, where browsers have no `crypto.subtle`. */
export function createSealing(keyBase64: string): Sealing | undefined {
  if (!(crypto.subtle as SubtleCrypto | undefined)) return undefined
  const raw = fromBase64(keyBase64)
  const key = importAesKey(raw)
  return {
    name: nameOf(raw),
    fits: (value) => encoded(value).length <= capacity,
    async seal(value) {
      const json = encoded(value)
      if (json.length > capacity) throw new RangeError('The text does not fit into an entry')
      const padded = new Uint8Array(capacity).fill(space)
      padded.set(json)
      return seal(await key, padded, noData)
    },
    async open(entry) {
      try {
        const plain = await open(await key, entry, noData)
        return JSON.parse(new TextDecoder().decode(plain)) as unknown
      } catch {
        return undefined
      }
    },
  }
}

async function nameOf(raw: Bytes): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', concat(new TextEncoder().encode('entry '), raw))
  return toBase64Url(new Uint8Array(hash).subarray(0, 12))
}

/** Returns random bytes. An entry without text contains them, because they look like sealed text. */
export function randomEntry(): Bytes {
  const bytes = new Uint8Array(entryBytes)
  crypto.getRandomValues(bytes)
  return bytes
}
