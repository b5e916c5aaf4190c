import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { Transform } from 'node:stream'
import type { TransformCallback } from 'node:stream'
import { DamagedBackupError } from './errors.ts'

/** Plain bytes per chunk; each carries its own tag, so that no byte is handed on before it was proved. */
const chunkBytes = 64 * 1024
const tagBytes = 16
const saltBytes = 16

/** Tells one key from another without telling anything of it. */
export const keyIdOf = (key: Buffer): string => mac(key, 'key id').slice(0, 16)

/** HMAC-SHA256 in hex, under a key made for this only. */
export const mac = (key: Buffer, text: string): string =>
  createHmac('sha256', derive(key, Buffer.alloc(saltBytes), 'mac'))
    .update(text)
    .digest('hex')

const derive = (key: Buffer, salt: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `sumlock backup: ${purpose}`, 32))

/** The number of the chunk, and whether it is the last: chunks can be neither moved nor left off. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(index), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Cuts a stream into pieces of `size`; what is left at the end, at least one byte if there was any, goes to `last`. */
class Chunks {
  #held: Buffer = Buffer.alloc(0)
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  *add(more: Buffer): Generator<Buffer> {
    this.#held = this.#held.length === 0 ? more : Buffer.concat([this.#held, more])
    let from = 0
    for (; this.#held.length - from > this.#size; from += this.#size)
      yield this.#held.subarray(from, from + this.#size)
    this.#held = this.#held.subarray(from)
  }

  get last(): Buffer {
    return this.#held
  }
}

/** AES-256-GCM in chunks. `name` binds the bytes to the file they belong to. */
export function encrypting(key: Buffer, name: string): Transform {
  const salt = randomBytes(saltBytes)
  const fileKey = derive(key, salt, name)
  const chunks = new Chunks(chunkBytes)
  let index = 0
  const seal = (plain: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(index, isLast))
    index += 1
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
  let isBegun = false
  const begin = (stream: Transform) => {
    if (!isBegun) stream.push(salt)
    isBegun = true
  }
  return new Transform({
    transform(more: Buffer, _encoding, done) {
      begin(this)
      for (const chunk of chunks.add(more)) this.push(seal(chunk, false))
      done()
    },
    flush(done) {
      begin(this)
      done(null, seal(chunks.last, true))
    },
  })
}

/** The way back. Fails with DamagedBackupError on the first byte that is not as it was written. */
export function decrypting(key: Buffer, name: string): Transform {
  const chunks = new Chunks(chunkBytes + tagBytes)
  let head: Buffer = Buffer.alloc(0)
  let fileKey: Buffer | undefined
  let index = 0
  const open = (sealed: Buffer, isLast: boolean) => {
    if (!fileKey || sealed.length < tagBytes) throw new DamagedBackupError(`${name} is cut short`)
    const decipher = createDecipheriv('aes-256-gcm', fileKey, nonceOf(index, isLast))
    decipher.setAuthTag(sealed.subarray(-tagBytes))
    const plain = decipher.update(sealed.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch {
      throw new DamagedBackupError(`${name} was changed or cut short (chunk ${index + 1})`)
    }
    index += 1
    return plain
  }
  const attempt = (done: TransformCallback, work: () => void) => {
    try {
      work()
      done()
    } catch (error) {
      done(error as Error)
    }
  }
  return new Transform({
    transform(more: Buffer, _encoding, done) {
      attempt(done, () => {
        let rest = more
        if (!fileKey) {
          head = Buffer.concat([head, more])
          if (head.length < saltBytes) return
          fileKey = derive(key, head.subarray(0, saltBytes), name)
          rest = head.subarray(saltBytes)
        }
        for (const chunk of chunks.add(rest)) this.push(open(chunk, false))
      })
    },
    flush(done) {
      attempt(done, () => this.push(open(chunks.last, true)))
    },
  })
}
