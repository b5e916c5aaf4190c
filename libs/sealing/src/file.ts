import { deriveKey } from './aes.ts'
import type { Key } from './aes.ts'
import { concat, fields } from './bytes.ts'
import type { Bytes } from './bytes.ts'

const chunkSizeLog2 = 20
/** A chunk holds this many bytes of the file (1 MiB); the last chunk may hold fewer. */
export const chunkSize = 2 ** chunkSizeLog2
const tagLength = 16
/** A header consists of "SL1", the binary logarithm of the chunk size, seven random bytes and zeros. */
export const headerLength = 16
const magic = [0x53, 0x4c, 0x31, chunkSizeLog2]
const randomLength = 7

/**
 * A file does not open because its `size` differs from the declared one, its `header` has another format, or a
 * `chunk` was changed, moved or sealed with another key.
 */
export class DamagedFileError extends Error {
  readonly reason: 'size' | 'header' | 'chunk'
  constructor(reason: DamagedFileError['reason']) {
    super(`The sealed file is damaged: ${reason}.`)
    this.reason = reason
  }
}

/** Derives the key of the file or its thumbnail from the random key (32 bytes) in the message's body. */
export const fileKey = (mediaKey: Bytes, part: 'thumb' | 'file'): Promise<Key> =>
  deriveKey(mediaKey, fields(`${part}/v1`))

/** An empty file has one chunk as well. */
const chunksOf = (size: number): number => Math.max(1, Math.ceil(size / chunkSize))

/** Returns the length of the sealed form of a file with `size` bytes. */
export const sealedSize = (size: number): number => headerLength + size + tagLength * chunksOf(size)

/**
 * Index and end of file are part of the nonce, so a chunk opens only at its own place, and the last one only as the
 * last.
 */
function algorithmOf(header: Bytes, index: number, isLast: boolean) {
  const place = new Uint8Array([0, 0, 0, 0, isLast ? 1 : 0])
  new DataView(place.buffer).setUint32(0, index)
  const iv = concat(header.subarray(magic.length, magic.length + randomLength), place)
  return { name: 'AES-GCM', iv, additionalData: header }
}

/** Yields the header, then each sealed chunk. `key` must be fresh for every file. */
export async function* sealFile(key: Key, file: Pick<Blob, 'size' | 'slice'>): AsyncGenerator<Bytes> {
  const header = new Uint8Array(headerLength)
  header.set([...magic, ...crypto.getRandomValues(new Uint8Array(randomLength))])
  yield header
  const count = chunksOf(file.size)
  for (let index = 0; index < count; index += 1) {
    const plain = await file.slice(index * chunkSize, (index + 1) * chunkSize).arrayBuffer()
    const algorithm = algorithmOf(header, index, index === count - 1)
    yield new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plain))
  }
}

/** Opens the chunks of a sealed file in any order. Throws a DamagedFileError for a header of another format. */
export function fileOpener(key: Key, header: Bytes, size: number) {
  const isOurs =
    header.length === headerLength &&
    magic.every((byte, at) => header[at] === byte) &&
    header.subarray(magic.length + randomLength).every((byte) => byte === 0)
  if (!isOurs) throw new DamagedFileError('header')
  const count = chunksOf(size)
  return {
    count,
    /** Returns the place of a sealed chunk in its file: the offset of its first byte and that behind its last byte. */
    rangeOf(index: number): [number, number] {
      const from = headerLength + index * (chunkSize + tagLength)
      return [from, Math.min(from + chunkSize + tagLength, sealedSize(size))]
    },
    async open(index: number, sealed: Bytes): Promise<Bytes> {
      const algorithm = algorithmOf(header, index, index === count - 1)
      const opened = crypto.subtle.decrypt(algorithm, key, sealed)
      return opened.then(
        (plain) => new Uint8Array(plain),
        () => Promise.reject(new DamagedFileError('chunk')),
      )
    },
  }
}

/**
 * Opens a whole sealed file. Rejects with a DamagedFileError when its length does not belong to `size`, or a byte was
 * changed.
 */
export async function openFile(key: Key, sealed: Bytes, size: number): Promise<Bytes> {
  if (sealed.length !== sealedSize(size)) throw new DamagedFileError('size')
  const opener = fileOpener(key, sealed.subarray(0, headerLength), size)
  const chunks: Bytes[] = []
  for (let index = 0; index < opener.count; index += 1)
    chunks.push(await opener.open(index, sealed.subarray(...opener.rangeOf(index))))
  return concat(...chunks)
}
