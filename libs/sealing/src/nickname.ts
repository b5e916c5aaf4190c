import { deriveKey, open, seal } from './aes.ts'
import { fields, fromBase64Url, toBase64Url } from './bytes.ts'
import { agree } from './own-key.ts'
import type { OwnKey } from './own-key.ts'

/** A box has the same size for every nickname. It allows for 40 UTF-16 units of three bytes. */
const paddedLength = 128

/** Encrypts the names that a person gives to partners, under the key of the person's own records. */
export interface Nicknames {
  /** Resolves to base64url of 208 characters. Rejects if the nickname has more than 127 bytes. */
  seal(conversationId: string, nickname: string): Promise<string>
  /** Rejects a box of another conversation, person or key. */
  open(conversationId: string, box: string): Promise<string>
}

/** The labels below are part of stored boxes, so they must never change. */
export async function createNicknames({ userId, epoch, pub, privateKey }: OwnKey): Promise<Nicknames> {
  const key = await deriveKey(await agree(privateKey, pub), fields('pin-store/v1', userId, epoch))
  const dataOf = (conversationId: string) => fields('nickname/v1', userId, conversationId)
  return {
    async seal(conversationId, nickname) {
      const bytes = new TextEncoder().encode(nickname)
      const padded = new Uint8Array(paddedLength)
      if (bytes.length >= paddedLength) throw new RangeError('The nickname is too long.')
      padded[0] = bytes.length
      padded.set(bytes, 1)
      return toBase64Url(await seal(key, padded, dataOf(conversationId)))
    },
    async open(conversationId, box) {
      const [length = 0, ...rest] = await open(key, fromBase64Url(box), dataOf(conversationId))
      return new TextDecoder().decode(new Uint8Array(rest.slice(0, length)))
    },
  }
}
