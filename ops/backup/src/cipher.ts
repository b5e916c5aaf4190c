import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { DamagedBackupError } from './errors.ts'

/**
 * A chunk has this many plain bytes. Each chunk has a tag of its own, so that no byte is passed on before it is
 * verified.
 */
const chunkBytes = 64 * 1024
const tagBytes = 16
const saltBytes = 16

/** Returns an id of a key that does not reveal the key. */
export const keyIdOf = (key: Buffer): string => mac(key, 'key id').slice(0, 16)

/** Returns HMAC-SHA256 in hex, under a key that is derived for this purpose only. */
export const mac = (key: Buffer, text: string): string =>
  createHmac('sha256', derive(key, Buffer.alloc(saltBytes), 'mac'))
    .update(text)
    .digest('hex')

const derive = (key: Buffer, salt: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `sumlock backup: ${purpose}`, 32))

/** The nonce contains the number of the chunk and whether it is the last, so that no chunk can be moved or left out. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(index), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Cuts a stream into chunks of `size` bytes. The first chunk is longer by `headBytes`, and the last may be shorter. */
async function* chunksOf(source: AsyncIterable<Buffer>, size: number, headBytes = 0) {
  let held: Buffer = Buffer.alloc(0)
  let index = 0
  let wanted = headBytes + size
  for await (const more of source) {
    held = Buffer.concat([held, more])
    while (held.length > wanted) {
      yield { chunk: held.subarray(0, wanted), index, isLast: false }
      held = held.subarray(wanted)
      wanted = size
      index += 1
    }
  }
  yield { chunk: held, index, isLast: true }
}

/** A step turns one stream of a pipeline into the next. */
type Step = (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>

/**
 * Encrypts in chunks with AES-256-GCM. A random salt comes first. `name` is part of the key, so that the bytes open
 * only as the file with this name.
 */
export function encrypting(key: Buffer, name: string): Step {
  return async function* (plain) {
    const salt = randomBytes(saltBytes)
    yield salt
    const fileKey = derive(key, salt, name)
    for await (const { chunk, index, isLast } of chunksOf(plain, chunkBytes)) {
      const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(index, isLast))
      yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    }
  }
}

/** Decrypts the output of `encrypting`. Throws a DamagedBackupError at the first chunk that was changed. */
export function decrypting(key: Buffer, name: string): Step {
  return async function* (sealed) {
    let fileKey = key
    for await (const { chunk, index, isLast } of chunksOf(sealed, chunkBytes + tagBytes, saltBytes)) {
      if (index === 0) fileKey = derive(key, chunk.subarray(0, saltBytes), name)
      const body = index === 0 ? chunk.subarray(saltBytes) : chunk
      if (body.length < tagBytes) throw new DamagedBackupError(`${name} is cut short`)
      const decipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(index, isLast))
      decipher.setAuthTag(body.subarray(-tagBytes))
      const plain = decipher.update(body.subarray(0, -tagBytes))
      try {
        decipher.final()
      } catch {
        throw new DamagedBackupError(`${name} was changed or cut short (chunk ${index + 1})`)
      }
      yield plain
    }
  }
}
