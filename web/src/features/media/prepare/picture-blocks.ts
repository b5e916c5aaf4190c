import { textAt, uint32, uint32le } from './byte-readers.ts'

/**
 * A block is a part of a picture file with its own header. If the file was cut off, the `end` of the last block lies
 * beyond the file.
 */
export interface Block {
  type: string
  at: number
  end: number
}

/** Yields the chunks of a PNG up to IEND. */
export function* pngChunks(bytes: Uint8Array): Generator<Block> {
  for (let at = 8; at + 8 <= bytes.length;) {
    const block = { type: textAt(bytes, at + 4, 4), at, end: at + 12 + uint32(bytes, at) }
    yield block
    if (block.type === 'IEND') return
    at = block.end
  }
}

/** Yields the chunks of a WebP, or those inside one of its frames; `end` excludes the padding byte. */
export function* riffChunks(bytes: Uint8Array, from: number, to: number): Generator<Block> {
  for (let at = from; at + 8 <= Math.min(to, bytes.length);) {
    const size = uint32le(bytes, at + 4)
    const end = at + 8 + size
    yield { type: textAt(bytes, at, 4), at, end }
    at = end + (size % 2)
  }
}

/** Returns the end that a WebP states in its header. Bytes behind it are not part of the picture. */
export const webpEnd = (bytes: Uint8Array): number => 8 + uint32le(bytes, 4)

const colorTableBytes = (flags = 0) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** Returns the position of a GIF's first block, which follows the screen size and the color table. */
export const gifHeadEnd = (bytes: Uint8Array): number => 13 + colorTableBytes(bytes[10])

const gifExtensions: Record<number, string> = { 0x01: 'text', 0xf9: 'control', 0xff: 'application' }

/** Yields the frames and extensions of a GIF up to its trailer or the first byte that begins neither. */
export function* gifBlocks(bytes: Uint8Array): Generator<Block> {
  for (let at = gifHeadEnd(bytes); at < bytes.length;) {
    const isFrame = bytes[at] === 0x2c
    if (!isFrame && bytes[at] !== 0x21) return
    const data = isFrame ? at + 11 + colorTableBytes(bytes[at + 9]) : at + 2
    const type = isFrame ? 'frame' : (gifExtensions[bytes[at + 1] ?? 0] ?? 'other')
    const block = { type, at, end: subBlocksEnd(bytes, data) }
    yield block
    at = block.end
  }
}

function subBlocksEnd(bytes: Uint8Array, from: number): number {
  let at = from
  for (let size = bytes[at]; size !== undefined; size = bytes[at]) {
    at += size + 1
    if (size === 0) return at
  }
  return Infinity
}
