import { textAt } from './byte-readers.ts'
import type { RefusalReason } from './media-refused-error.ts'
import { pictureType } from './picture-type.ts'

/** The first bytes identify the kind of a file, so that a large file is not read as a whole. */
const firstBytes = 4096

/** States the kind of a chosen file, or the reason why it cannot be sent. */
export type FileKind = 'picture' | 'film' | RefusalReason

/** Identifies a chosen file by its first bytes, never by its name or its declared type. */
export async function fileKind(file: Blob): Promise<FileKind> {
  if (file.size === 0) return 'empty'
  try {
    return kindOf(new Uint8Array(await file.slice(0, firstBytes).arrayBuffer()))
  } catch {
    return 'not_read'
  }
}

export function kindOf(bytes: Uint8Array): FileKind {
  if (pictureType(bytes)) return 'picture'
  const text = textAt(bytes, 0, 1024)
  const isOneOf = ([, marks]: (typeof beginnings)[number]) => marks.some((mark) => beginsWith(text, mark))
  return beginnings.find(isOneOf)?.[0] ?? (isSvg(text) ? 'svg' : 'unknown')
}

const beginsWith = (text: string, mark: string) =>
  [...mark].every((character, at) => character === '?' || character === text[at])

// Each character stands for one byte, and a question mark for any byte. Some files that begin like a film cannot be
// sent; `prepareVideo` refuses those.
const beginnings: [FileKind, string[]][] = [
  ['jxl', ['????ftypjxl ', '\xff\n', '????JXL \r\n']],
  ['tiff', ['????ftypcrx ', 'II*\0', 'MM\0*', 'II+\0', 'MM\0+', 'IIRO', 'IIU\0', 'FUJIFILMCCD']],
  ['icon', ['\0\0\x01\0', '\0\0\x02\0']],
  ['photoshop', ['8BPS']],
  ['pdf', ['%PDF-', '\xef\xbb\xbf%PDF-', '\n%PDF-', '\r\n%PDF-']],
  [
    'sound',
    ['????ftypM4A ', '????ftypM4B ', 'ID3', 'RIFF????WAVE', 'fLaC', '#!AMR', 'FORM????AIF', 'caff', 'MThd'],
  ],
  // Frames of MPEG audio (layers II and III) and of AAC begin with these two bytes.
  ['sound', [...'\xe2\xe3\xf2\xf3\xf4\xf5\xfa\xfb\xfc\xfd\xf0\xf1\xf8\xf9'].map((byte) => `\xff${byte}`)],
  ['sound', ['OpusHead', '\x01vorbis', 'Speex', '\x7fFLAC'].map((codec) => `OggS${'?'.repeat(24)}${codec}`)],
  ['film', ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].map((box) => `????${box}`)],
  ['film', ['\x1a\x45\xdf\xa3', 'RIFF????AVI ', 'OggS', '\x30\x26\xb2\x75', 'FLV\x01', '.RMF']],
  ['film', ['\0\0\x01\xb3', '\0\0\x01\xba', `G${'?'.repeat(187)}G`, `????G${'?'.repeat(191)}G`]],
]

/** A file with an SVG element is a drawing, unless it begins as an HTML page that contains the drawing. */
const isSvg = (text: string) =>
  /^(?:\xef\xbb\xbf)?\s*<(?!!doctype html|html|head|body|script)/i.test(text) && /<svg[\s>]/i.test(text)
