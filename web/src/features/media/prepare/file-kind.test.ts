import { be32, gif, join } from '../../../../test/picture-fixtures.ts'
import { readBlobs } from '../../../../test/read-blobs.ts'
import { fileKind, kindOf } from './file-kind.ts'

beforeEach(readBlobs)

const ftyp = (brand: string) => join(be32(16), 'ftyp', brand, be32(0))
const kinds: [name: string, bytes: Uint8Array, kind: string][] = [
  ['a GIF', gif(1), 'picture'],
  ['a BMP', join('BM', be32(1), be32(0)), 'picture'],
  ['an AVIF', ftyp('avif'), 'picture'],
  ['an MP4', ftyp('isom'), 'film'],
  ['a QuickTime film without a brand', join(be32(8), 'wide', be32(9), 'mdat'), 'film'],
  ['a WebM', join([0x1a, 0x45, 0xdf, 0xa3]), 'film'],
  ['an AVI', join('RIFF', be32(9), 'AVI LIST'), 'film'],
  ['a film of a camcorder', join([0, 0, 0, 0], 'G', ' '.repeat(191), 'G'), 'film'],
  ['a WAV', join('RIFF', be32(9), 'WAVEfmt '), 'sound'],
  ['an MP3', join([0xff, 0xfb, 0x90, 0]), 'sound'],
  ['an M4A', ftyp('M4A '), 'sound'],
  ['an Opus file', join('OggS', new Uint8Array(24), 'OpusHead'), 'sound'],
  ['a PDF', join('%PDF-1.7'), 'pdf'],
  ['a TIFF', join('II*\0'), 'tiff'],
  ['a JPEG XL', join([0xff, 0x0a]), 'jxl'],
  ['an icon', join([0, 0, 1, 0, 3, 0]), 'icon'],
  ['a drawing', join('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'svg'],
  ['a drawing behind a comment', join('\xef\xbb\xbf <?xml version="1.0"?><!-- made by --><svg>'), 'svg'],
  ['a page', join('<!DOCTYPE html><p>'), 'unknown'],
  ['a page that contains a drawing', join('\n<HTML><svg>'), 'unknown'],
  ['a text that names the tag', join('Write <svg> first'), 'unknown'],
  ['a text of 16 bits', join([0xff, 0xfe, 0x41, 0]), 'unknown'],
]
for (const [name, bytes, kind] of kinds)
  it(`${name} is ${kind}, whatever was declared`, async () => {
    expect(kindOf(bytes)).toBe(kind)
    const file = new File([join(bytes)], 'list.txt', { type: 'text/plain' })
    expect(await fileKind(file)).toBe(kind)
  })

it('a file without bytes is empty', async () => expect(await fileKind(new Blob())).toBe('empty'))

it('a file that is gone asks to be saved first', async () => {
  const gone = { size: 5, slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }) }
  expect(await fileKind(gone as unknown as Blob)).toBe('not_read')
})
