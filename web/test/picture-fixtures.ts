import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

type Part = string | number[] | Uint8Array

/** Encodes text as one byte per character. */
export const join = (...parts: Part[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
    ),
  )

export const be16 = (value: number) => [value >> 8, value & 255]
export const be32 = (value: number) => [...be16(value >>> 16), ...be16(value & 0xffff)]
export const le16 = (value: number) => be16(value).reverse()
const le24 = (value: number) => [...le16(value & 0xffff), value >> 16]
export const le32 = (value: number) => be32(value).reverse()

// JPEG

export const jpegSegment = (marker: number, data: Part) => {
  const content = join(data)
  return join([0xff, marker], be16(content.length + 2), content)
}
export const jpegSize = (marker: number, width: number, height: number) =>
  jpegSegment(marker, [8, ...be16(height), ...be16(width), 1, 1, 0x11, 0])

/** An Exif segment that turns the picture, and names a maker and a place. */
export function exifSegment(orientation: number, maker: string, place: string) {
  const entry = (tag: number, type: number, count: number, value: number) =>
    join(le16(tag), le16(type), le32(count), le32(value))
  const placeAt = 8 + 2 + 3 * 12 + 4
  const gpsAt = placeAt + place.length
  const makerAt = gpsAt + 2 + 12 + 4
  const main = [
    entry(0x010f, 2, maker.length, makerAt),
    entry(0x0112, 3, 1, orientation),
    entry(0x8825, 4, 1, gpsAt),
  ]
  const gps = join(le16(1), entry(0x001c, 7, place.length, placeAt), le32(0))
  return jpegSegment(
    0xe1,
    join('Exif\0\0', 'II', le16(42), le32(8), le16(3), ...main, le32(0), place, gps, maker),
  )
}

/** A JPEG written by a canvas, with these segments behind its start and these bytes behind its end. */
export const withSegments = (jpeg: Uint8Array, segments: Uint8Array[], after: string) =>
  join(jpeg.subarray(0, 2), ...segments, jpeg.subarray(2), after)

// PNG

const pngSignature = '\x89PNG\r\n\x1a\n'

export const pngChunk = (type: string, data: Part) => {
  const content = join(data)
  return join(be32(content.length), type, content, be32(crc32(join(type, content))))
}
const pngHead = (width: number, height: number) =>
  pngChunk('IHDR', [...be32(width), ...be32(height), 8, 6, 0, 0, 0])
const pixels = (size: number, frame: number) =>
  deflateSync(
    join(
      ...Array.from({ length: size }, () => [
        0,
        ...Array<number[]>(size)
          .fill([frame * 9, 0, 200, 255])
          .flat(),
      ]),
    ),
  )

export const png = (width: number, height: number, ...chunks: Uint8Array[]) =>
  join(pngSignature, pngHead(width, height), ...chunks, pngChunk('IEND', ''))

/** Random bytes, which no encoder can compress. */
export const noise = (size: number) => {
  const rows = Array.from({ length: size }, () => join([0], randomBytes(size * 4)))
  return png(size, size, pngChunk('IDAT', deflateSync(join(...rows))))
}

/** The marks stand wherever metadata may be. */
export function apng(frames: number, mark = '', { size = 8, claimed = frames } = {}) {
  let sequence = 0
  const next = () => be32(sequence++)
  const frame = (index: number) => [
    pngChunk('fcTL', join(next(), be32(size), be32(size), be32(0), be32(0), be16(1), be16(10), [0, 0])),
    index === 0 ? pngChunk('IDAT', pixels(size, index)) : pngChunk('fdAT', join(next(), pixels(size, index))),
  ]
  const marks = mark ? ['tEXt', 'eXIf', 'iTXt'].map((type) => pngChunk(type, `Comment\0${mark}`)) : []
  return join(
    png(
      size,
      size,
      ...marks.slice(0, 2),
      pngChunk('acTL', join(be32(claimed), be32(0))),
      ...Array.from({ length: frames }, (_, index) => frame(index)).flat(),
      ...marks.slice(2),
    ),
    mark,
  )
}

// GIF

export const gifExtension = (label: number, ...blocks: string[]) =>
  join([0x21, label], ...blocks.flatMap((block) => [[block.length], block]), [0])
export const gifLoop = gifExtension(0xff, 'NETSCAPE2.0', '\x01\0\0')

const control = gifExtension(0xf9, '\0\x0a\0\0')

/** Frames of one pixel with the color 0 or 1. */
export function gif(frames: number, mark = '', { width = 1, height = 1 } = {}) {
  const frame = (index: number) =>
    join(
      control,
      mark && index === 0 ? gifExtension(0xfe, mark) : '',
      [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0],
      [2, 2, index % 2 ? 0x4c : 0x44, 1, 0],
    )
  return join(
    'GIF89a',
    [...le16(width), ...le16(height), 0x80, 0, 0],
    [255, 0, 0, 0, 0, 255],
    frames > 1 ? gifLoop : '',
    mark
      ? join(gifExtension(0xff, 'XMP DataXMP', mark), control, gifExtension(0x01, 'x'.repeat(12), mark))
      : '',
    ...Array.from({ length: frames }, (_, index) => frame(index)),
    [0x3b],
    mark,
  )
}

// WebP

export const riffChunk = (type: string, data: Part) => {
  const content = join(data)
  return join(type, le32(content.length), content, content.length % 2 ? [0] : [])
}
export const webp = (...chunks: Uint8Array[]) => {
  const content = join('WEBP', ...chunks)
  return join('RIFF', le32(content.length), content)
}
export const vp8x = (flags: number, width: number, height: number) =>
  riffChunk('VP8X', [flags, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)])
/** One pixel. */
const vp8l = riffChunk('VP8L', '\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07')

/** Frames of one pixel. */
export function animatedWebp(frames: number, mark = '') {
  const marked = (type: string) => (mark ? riffChunk(type, mark) : new Uint8Array())
  const frame = riffChunk(
    'ANMF',
    join(le24(0), le24(0), le24(0), le24(0), le24(100), [0], vp8l, marked('XTRA')),
  )
  return join(
    webp(
      vp8x(mark ? 0x3e : 0x12, 1, 1),
      marked('ICCP'),
      riffChunk('ANIM', [0, 0, 0, 0, 0, 0]),
      ...Array<Uint8Array>(frames).fill(frame),
      marked('EXIF'),
      marked('XMP '),
    ),
    mark,
  )
}
