import { textAt, uint16, uint16le, uint24le, uint32, uint32le } from './byte-readers.ts'
import { exifOrientation } from './exif-orientation.ts'
import { readIsoPicture } from './iso-picture.ts'
import { gifBlocks, pngChunks, riffChunks, webpEnd } from './picture-blocks.ts'
import { pictureType } from './picture-type.ts'
import type { PictureType } from './picture-type.ts'

interface Found {
  width: number
  height: number
  frames?: number
  orientation?: number
}

export interface PictureHeader extends Required<Found> {
  type: PictureType
}

/**
 * Reads the header of a picture before anything is decoded; undefined if it states no size. If a file states several
 * sizes, the largest counts, because a decoder may use it. Width and height are those before any rotation. `frames` is
 * one for a still; for an animation it counts the frames in the bytes, not the claimed number. `orientation` is read
 * only from PNG and WebP, whose animations are not decoded, and is one for all others.
 */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | undefined {
  const type = pictureType(bytes)
  if (!type) return undefined
  const { width, height, frames = 1, orientation = 1 } = readers[type](bytes)
  return width && height ? { type, width, height, frames: Math.max(1, frames), orientation } : undefined
}

const readers: Record<PictureType, (bytes: Uint8Array) => Found> = {
  jpeg: readJpeg,
  png: readPng,
  gif: readGif,
  webp: readWebp,
  heic: readIso,
  avif: readIso,
  bmp: readBmp,
}

const nothing: Found = { width: 0, height: 0 }

const larger = (size: Found, width: number, height: number): Found => ({
  width: Math.max(size.width, width),
  height: Math.max(size.height, height),
})

/** Steps over the segments as libjpeg does, which skips stray bytes between them. */
function readJpeg(bytes: Uint8Array): Found {
  for (let at = 2; at < bytes.length;) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) break
    while (bytes[at] === 0xff) at += 1
    const marker = bytes[at] ?? 0
    at += 1
    if (isFrameHeader(marker)) return { height: uint16(bytes, at + 3), width: uint16(bytes, at + 5) }
    // No size follows the end of the picture or its first scan.
    if (marker === 0xd9 || marker === 0xda) break
    const isBare = marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    if (!isBare) at += Math.max(2, uint16(bytes, at))
  }
  return nothing
}

/**
 * Returns whether a marker is one of SOF0 to SOF15, without the three markers between them that mean something else.
 */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

function readPng(bytes: Uint8Array): Found {
  if (textAt(bytes, 12, 4) !== 'IHDR') return nothing
  let isAnimated = false
  let frames = 0
  let orientation = 1
  for (const { type, at, end } of pngChunks(bytes)) {
    if (type === 'eXIf' && orientation === 1) orientation = exifOrientation(bytes.subarray(at + 8, end - 4))
    if (type === 'acTL') isAnimated = true
    if (type === 'IDAT' && !isAnimated) break
    if (type === 'fcTL') frames += 1
  }
  return { width: uint32(bytes, 16), height: uint32(bytes, 20), frames, orientation }
}

function readGif(bytes: Uint8Array): Found {
  let size: Found = { width: uint16le(bytes, 6), height: uint16le(bytes, 8) }
  let frames = 0
  for (const { type, at } of gifBlocks(bytes)) {
    if (type !== 'frame') continue
    frames += 1
    const [left, top, width, height] = [1, 3, 5, 7].map((offset) => uint16le(bytes, at + offset)) as Four
    size = larger(size, left + width, top + height)
  }
  return { ...size, frames }
}

type Four = [number, number, number, number]

const animationFlag = 0x02

function readWebp(bytes: Uint8Array): Found {
  let size = nothing
  let isAnimated = false
  let frames = 0
  let orientation = 1
  for (const { type, at, end } of riffChunks(bytes, 12, webpEnd(bytes))) {
    const data = at + 8
    if (type === 'EXIF' && orientation === 1) orientation = exifOrientation(bytes.subarray(data, end))
    if (type === 'ANMF') frames += 1
    if (type === 'VP8X') {
      isAnimated = ((bytes[data] ?? 0) & animationFlag) !== 0
      size = larger(size, uint24le(bytes, data + 4) + 1, uint24le(bytes, data + 7) + 1)
    }
    if (type === 'VP8 ')
      size = larger(size, uint16le(bytes, data + 6) & 0x3fff, uint16le(bytes, data + 8) & 0x3fff)
    if (type === 'VP8L') {
      const bits = uint32le(bytes, data + 1)
      size = larger(size, (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
    }
  }
  return { ...size, frames: isAnimated ? frames : 1, orientation }
}

function readIso(bytes: Uint8Array): Found {
  const { sizes, frames } = readIsoPicture(bytes)
  return { ...sizes.reduce((size, { width, height }) => larger(size, width, height), nothing), frames }
}

/**
 * Reads a BMP. Its oldest form has a header of twelve bytes. A negative height means that the rows run from top to
 * bottom.
 */
function readBmp(bytes: Uint8Array): Found {
  if (uint32le(bytes, 14) === 12) return { width: uint16le(bytes, 18), height: uint16le(bytes, 20) }
  return { width: uint32le(bytes, 18), height: Math.abs(uint32le(bytes, 22) | 0) }
}
