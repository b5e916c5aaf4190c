import { importAesKey, open, seal } from '@sumlock/sealing/aes'
import { fromBase64, toBase64 } from '@sumlock/sealing/bytes'

/** The text is padded to a multiple of this, so that its size does not reveal its length. */
const stepBytes = 64 * 1024
const space = 0x20

export interface Sealing {
  /** JSON, padded and encrypted, as base64. */
  seal(value: unknown): Promise<string>
  /** The value given to `seal`; undefined when another key wrote it or the text is damaged. */
  open(text: string): Promise<unknown>
}

const noData = new Uint8Array()

/** Encrypts with AES-256-GCM; undefined on plain http, where browsers have no `crypto.subtle`. */
export function createSealing(keyBase64: string): Sealing | undefined {
  if (!(crypto.subtle as SubtleCrypto | undefined)) return undefined
  const key = importAesKey(fromBase64(keyBase64))
  return {
    async seal(value) {
      const json = new TextEncoder().encode(JSON.stringify(value))
      const padded = new Uint8Array(Math.ceil(json.length / stepBytes) * stepBytes).fill(space)
      padded.set(json)
      return toBase64(await seal(await key, padded, noData))
    },
    async open(text) {
      try {
        const plain = await open(await key, fromBase64(text), noData)
        return JSON.parse(new TextDecoder().decode(plain)) as unknown
      } catch {
        return undefined
      }
    },
  }
}
