import { textAt } from './byte-readers.ts'

export type PictureType = 'jpeg' | 'png' | 'webp' | 'gif' | 'heic' | 'avif'

const heicBrand = /^(?:heic|heix|heim|heis|hevc|hevx|mif1|msf1)/
const avifBrand = /^avi[fs]/
/** Where markup has to say what it is. */
const markupBytes = 1024

/** The type by the first bytes; undefined for everything that is not a known picture. */
export function pictureType(bytes: Uint8Array): PictureType | 'svg' | undefined {
  const head = textAt(bytes, 0, 16)
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'webp'
  if (head.slice(4, 8) === 'ftyp') {
    const brand = head.slice(8, 12)
    if (avifBrand.test(brand)) return 'avif'
    return heicBrand.test(brand) ? 'heic' : undefined
  }
  return isSvg(textAt(bytes, 0, markupBytes)) ? 'svg' : undefined
}

/** A page that contains a drawing begins as a page. */
const isSvg = (text: string) =>
  /^(?:\xef\xbb\xbf)?\s*<(?!!doctype html|html|head|body|script)/i.test(text) && /<svg[\s>]/i.test(text)
