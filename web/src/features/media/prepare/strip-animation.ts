import { textAt, uint32 } from './byte-readers.ts'
import { crc32 } from './crc32.ts'
import { exifWith } from './exif-orientation.ts'
import { gifBlocks, gifHeadEnd, pngChunks, riffChunks, webpEnd } from './picture-blocks.ts'
import type { PictureHeader } from './picture-header.ts'
import { maxAnimationPixels, maxFrames } from './picture-limits.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Returns whether an animation has more frames or pixels than a phone can show. */
export const isTooLongAnimation = ({ frames, width, height }: PictureHeader): boolean =>
  frames > maxFrames || frames * width * height > maxAnimationPixels

/**
 * Returns the parts of an animated file that draw its frames, and the camera's orientation, which together are a valid
 * file. Undefined if the file has to become a still: it is no animation, its type is unknown, it is too large, or it is
 * malformed.
 */
export function stripAnimation(bytes: Bytes, header: PictureHeader): Bytes[] | undefined {
  const { type, frames, orientation } = header
  if (frames < 2 || isTooLongAnimation(header)) return undefined
  const exif = orientation > 1 ? exifWith(orientation) : undefined
  if (type === 'gif') return stripGif(bytes)
  if (type === 'png') return stripPng(bytes, frames, exif)
  return type === 'webp' ? stripWebp(bytes, exif) : undefined
}

/** A NETSCAPE2.0 extension of this many bytes contains only the number of loops. */
const loopingBytes = 19

function stripGif(bytes: Bytes): Bytes[] {
  const parts = [bytes.subarray(0, gifHeadEnd(bytes))]
  let control: Bytes[] = []
  for (const { type, at, end } of gifBlocks(bytes)) {
    if (end > bytes.length) break
    const block = bytes.subarray(at, end)
    const isLooping = end - at === loopingBytes && textAt(block, 3, 11) === 'NETSCAPE2.0'
    if (type === 'application' && isLooping) parts.push(block)
    if (type === 'frame') parts.push(...control, block)
    // A control block belongs to the next frame or text block, even if other blocks stand between them.
    if (type === 'control') control = [block]
    if (type === 'frame' || type === 'text') control = []
  }
  return [...parts, Uint8Array.of(0x3b)]
}

const pngDrawing: ReadonlySet<string> = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'acTL',
  'fcTL',
  'fdAT',
  'IDAT',
  'IEND',
])

function stripPng(bytes: Bytes, frames: number, exif?: Bytes): Bytes[] | undefined {
  const parts = [bytes.subarray(0, 8)]
  let isWhole = false
  for (const { type, at, end } of pngChunks(bytes)) {
    // A decoder refuses an animation whose number of frames differs from the stated one.
    if (type === 'acTL' && uint32(bytes, at + 8) !== frames) return undefined
    isWhole = type === 'IEND' && end <= bytes.length
    if (pngDrawing.has(type)) parts.push(bytes.subarray(at, end))
    if (type === 'IHDR' && exif) parts.push(pngChunk('eXIf', exif))
  }
  return isWhole ? parts : undefined
}

function pngChunk(type: string, data: Bytes): Bytes {
  const chunk = new Uint8Array(12 + data.length)
  const view = new DataView(chunk.buffer)
  view.setUint32(0, data.length)
  chunk.set(new TextEncoder().encode(type), 4)
  chunk.set(data, 8)
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)))
  return chunk
}

const drawingFlags = 0x12
const exifFlag = 0x08
const vp8xBytes = 18
const frameDataAt = 24
const webpDrawing: ReadonlySet<string> = new Set(['ALPH', 'VP8 ', 'VP8L'])

function stripWebp(bytes: Bytes, exif?: Bytes): Bytes[] | undefined {
  const parts: Bytes[] = []
  for (const { type, at, end } of riffChunks(bytes, 12, webpEnd(bytes))) {
    if (end > bytes.length) return undefined
    const chunk = bytes.slice(at, end)
    if (type === 'VP8X') {
      if (chunk.length !== vp8xBytes) return undefined
      // The flags that are removed here announce metadata.
      chunk[8] = ((chunk[8] ?? 0) & drawingFlags) | (exif ? exifFlag : 0)
      parts.push(chunk)
    }
    if (type === 'ANIM') parts.push(...padded(chunk))
    if (type === 'ANMF') {
      if (chunk.length < frameDataAt) return undefined
      const drawing = [...riffChunks(chunk, frameDataAt, chunk.length)].filter((inner) =>
        webpDrawing.has(inner.type),
      )
      if (drawing.some((inner) => inner.end > chunk.length)) return undefined
      const data = drawing.flatMap((inner) => padded(chunk.subarray(inner.at, inner.end)))
      parts.push(...sized(chunk.subarray(0, 8), [chunk.subarray(8, frameDataAt), ...data]))
    }
  }
  if (exif) parts.push(...sized(new TextEncoder().encode('EXIF\0\0\0\0'), [exif]))
  return sized(bytes.slice(0, 8), [bytes.slice(8, 12), ...parts])
}

const padded = (chunk: Bytes): Bytes[] => (chunk.length % 2 ? [chunk, new Uint8Array(1)] : [chunk])

/** Writes the size of the data into a chunk's head, and returns the chunk's parts. */
function sized(head: Bytes, data: Bytes[]): Bytes[] {
  const size = data.reduce((sum, { length }) => sum + length, 0)
  new DataView(head.buffer, head.byteOffset).setUint32(4, size, true)
  return [head, ...data]
}
