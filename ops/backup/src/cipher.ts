import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { DamagedBackupError } from './errors.ts'

/** Plain bytes per chunk. Each chunk has its own tag, so that no byte is passed on unverified. */
const chunkBytes = 64 * 1024
const tagBytes = 16
const saltBytes = 16

/** Identifies a key without revealing it. */
export const keyIdOf = (key: Buffer): string => mac(key, 'key id').slice(0, 16)

/** HMAC-SHA256 in hex, under a key derived for this purpose only. */
export const mac = (key: Buffer, text: string): string =>
  createHmac('sha256', derive(key, Buffer.alloc(saltBytes), 'mac'))
    .update(text)
    .digest('hex')

const derive = (key: Buffer, salt: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `sumlock backup: ${purpose}`, 32))

/** Contains the chunk's number and whether it is the last, so that no chunk can be moved or left out. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(index), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Cuts a stream into chunks of `size` bytes. The last one is shorter or as long, and empty only for an empty stream. */
async function* chunksOf(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; index: number; isLast: boolean }> {
  let held: Buffer = Buffer.alloc(0)
  let index = 0
  for await (const more of source) {
    held = Buffer.concat([held, more])
    let from = 0
    for (; held.length - from > size; from += size)
      yield { chunk: held.subarray(from, from + size), index: index++, isLast: false }
    held = held.subarray(from)
  }
  yield { chunk: held, index, isLast: true }
}

/** A step of a stream pipeline. */
export type Step = (source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>

/** Encrypts with AES-256-GCM in chunks, after a random salt. `name` binds the bytes to the file they belong to. */
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

/** Decrypts what `encrypting` wrote. Fails with DamagedBackupError at the first chunk that was changed. */
export function decrypting(key: Buffer, name: string): Step {
  return async function* (sealed) {
    const source = sealed[Symbol.asyncIterator]()
    let head: Buffer = Buffer.alloc(0)
    while (head.length < saltBytes) {
      const next = await source.next()
      if (next.done) throw new DamagedBackupError(`${name} is cut short`)
      head = Buffer.concat([head, next.value])
    }
    const fileKey = derive(key, head.subarray(0, saltBytes), name)
    const rest = async function* () {
      yield head.subarray(saltBytes)
      yield* { [Symbol.asyncIterator]: () => source }
    }
    for await (const { chunk, index, isLast } of chunksOf(rest(), chunkBytes + tagBytes)) {
      if (chunk.length < tagBytes) throw new DamagedBackupError(`${name} is cut short`)
      const decipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(index, isLast))
      decipher.setAuthTag(chunk.subarray(-tagBytes))
      const plain = decipher.update(chunk.subarray(0, -tagBytes))
      try {
        decipher.final()
      } catch {
        throw new DamagedBackupError(`${name} was changed or cut short (chunk ${index + 1})`)
      }
      yield plain
    }
  }
}
