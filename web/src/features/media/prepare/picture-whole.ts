import { textAt, uint16, uint32 } from './byte-readers.ts'
import { isWholeIso } from './iso-picture.ts'
import { gifBlocks, pngChunks, webpEnd } from './picture-blocks.ts'
import type { PictureType } from './picture-type.ts'

/**
 * Returns whether a picture has all bytes that it announces. Some browsers draw the first part of a picture that was
 * cut off and leave the rest blank.
 */
export const isWhole = (bytes: Uint8Array, type: PictureType): boolean => checks[type](bytes)

const checks: Record<PictureType, (bytes: Uint8Array) => boolean> = {
  jpeg: isWholeJpeg,
  png: isWholePng,
  gif: (bytes) => [...gifBlocks(bytes)].every(({ end }) => end <= bytes.length),
  webp: (bytes) => webpEnd(bytes) <= bytes.length,
  heic: isWholeIso,
  avif: isWholeIso,
  bmp: () => true,
}

/** Looks for the end mark only behind the first scan, because an earlier one belongs to a camera's preview. */
function isWholeJpeg(bytes: Uint8Array): boolean {
  for (let at = 2; at < bytes.length;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) return false
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at] ?? 0
    at += 1
    if (marker === 0xda) return hasJpegEnd(bytes, at)
    const isBare = marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    if (!isBare) at += Math.max(2, uint16(bytes, at))
  }
  return false
}

function hasJpegEnd(bytes: Uint8Array, from: number): boolean {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xd9) return true
  return false
}

/** Deflate compresses by at most this factor, so too few packed bytes cannot contain all rows. */
const mostDeflated = 1032
const channels: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function isWholePng(bytes: Uint8Array): boolean {
  let packed = 0
  let isCut = false
  for (const { type, at, end } of pngChunks(bytes)) {
    if (type === 'IDAT') packed += uint32(bytes, at)
    isCut ||= end > bytes.length
  }
  const bitsPerPixel = (bytes[24] ?? 0) * (channels[bytes[25] ?? 0] ?? 1)
  const rows = uint32(bytes, 20) * (1 + Math.ceil((uint32(bytes, 16) * bitsPerPixel) / 8))
  return !isCut && textAt(bytes, 12, 4) === 'IHDR' && rows <= (packed + 16) * mostDeflated
}
