const ivLength = 12
const chunkLength = 0x8000
/** The text is padded to a multiple of this, so that its size does not reveal its length. */
const stepBytes = 64 * 1024
const space = 0x20

export interface Sealing {
  /** JSON, padded and encrypted, as base64. */
  seal(value: unknown): Promise<string>
  /** The value given to `seal`; undefined when another key wrote it or the text is damaged. */
  open(text: string): Promise<unknown>
}

/** Encrypts with AES-256-GCM; undefined on plain http, where browsers have no `crypto.subtle`. */
export function createSealing(keyBase64: string): Sealing | undefined {
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (!subtle) return undefined
  const key = subtle.importKey('raw', fromBase64(keyBase64), 'AES-GCM', false, ['encrypt', 'decrypt'])
  return {
    async seal(value) {
      const json = new TextEncoder().encode(JSON.stringify(value))
      const padded = new Uint8Array(Math.ceil(json.length / stepBytes) * stepBytes).fill(space)
      padded.set(json)
      const iv = crypto.getRandomValues(new Uint8Array(ivLength))
      const sealed = new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv }, await key, padded))
      const whole = new Uint8Array(ivLength + sealed.length)
      whole.set(iv)
      whole.set(sealed, ivLength)
      return toBase64(whole)
    },
    async open(text) {
      try {
        const bytes = fromBase64(text)
        const algorithm = { name: 'AES-GCM', iv: bytes.subarray(0, ivLength) }
        const plain = await subtle.decrypt(algorithm, await key, bytes.subarray(ivLength))
        return JSON.parse(new TextDecoder().decode(plain)) as unknown
      } catch {
        return undefined
      }
    },
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += chunkLength) {
    text += String.fromCharCode(...bytes.subarray(from, from + chunkLength))
  }
  return btoa(text)
}

/** In a loop: `Uint8Array.from` with a function takes ten times as long, and this runs for every key typed. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index)
  return bytes
}
