import { textAt, uint32 } from './byte-readers.ts'

export type PictureType = 'jpeg' | 'png' | 'webp' | 'gif' | 'heic' | 'avif' | 'bmp'

const heicBrand = /^(?:heic|heix|heim|heis|hevc|hevx|hevm|hevs)/
const avifBrand = /^avi[fs]/
/** These brands only mean that the file is a picture or a sequence of pictures. */
const anyBrand = /^(?:mif[12]|msf1|miaf)/

/** Returns the type by the first bytes; undefined for everything that is not a known picture. */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const head = textAt(bytes, 0, 16)
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'webp'
  if (/^BM[^]{4}\0{4}/.test(head)) return 'bmp'
  return head.slice(4, 8) === 'ftyp' ? isoType(bytes) : undefined
}

/** Brands are read from at most this many bytes of a box `ftyp`. */
const maxBrandsBytes = 128

/** Returns the type by the first brand; if that is a general one, the compatible brands decide. */
function isoType(bytes: Uint8Array): 'heic' | 'avif' | undefined {
  const brand = textAt(bytes, 8, 4)
  if (avifBrand.test(brand)) return 'avif'
  if (heicBrand.test(brand)) return 'heic'
  if (!anyBrand.test(brand)) return undefined
  const others = textAt(bytes, 16, Math.min(uint32(bytes, 0), maxBrandsBytes) - 16)
  return /^(?:[^]{4})*avi[fs]/.test(others) ? 'avif' : 'heic'
}
