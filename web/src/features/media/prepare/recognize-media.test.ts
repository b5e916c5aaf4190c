import fc from 'fast-check'
import { animatedWebp, apng, be32, gif, join, jpegSize } from '../../../../test/picture-fixtures.ts'
import { recognizeMedia } from './recognize-media.ts'

const box = (type: string, ...data: (string | Uint8Array)[]) => {
  const content = join(...data)
  return join(be32(content.length + 8), type, content)
}
const ftyp = (brand: string) => box('ftyp', brand, '\0\0\0\0')
const track = (handler: string) =>
  box('trak', box('tkhd', 'x'), box('mdia', box('hdlr', join(be32(0), be32(0), handler, be32(0)))))
const movie = (...handlers: string[]) => box('moov', box('mvhd', 'x'), ...handlers.map(track))
const data = box('mdat', 'coded picture, hdlr and vide by chance')
const longBox = (type: string, content: Uint8Array) =>
  join(be32(1), type, be32(0), be32(content.length + 16), content)

const element = (id: number[], ...content: Uint8Array[]) => {
  const bytes = join(...content)
  return join(id, [0x40 | (bytes.length >> 8), bytes.length & 255], bytes)
}
const openElement = (id: number[], ...content: Uint8Array[]) =>
  join(id, [0x01, 255, 255, 255, 255, 255, 255, 255], ...content)
const ebml = (type: string) => element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], join(type)))
const segment = [0x18, 0x53, 0x80, 0x67]
const entries = (...types: number[]) =>
  element(
    [0x16, 0x54, 0xae, 0x6b],
    ...types.map((type) => element([0xae], element([0xd7], join([1])), element([0x83], join([type])))),
  )

const filler = element([0xec], new Uint8Array(150))

const known: [name: string, bytes: Uint8Array, mime: string | undefined, expected?: 'video' | 'audio'][] = [
  ['a JPEG', join([0xff, 0xd8], jpegSize(0xc0, 1, 1)), 'image/jpeg'],
  ['a PNG', apng(2), 'image/png'],
  ['a GIF', gif(1), 'image/gif'],
  ['a WebP', animatedWebp(2), 'image/webp'],
  ['a HEIC', ftyp('heic'), undefined],
  ['an AVIF', ftyp('avif'), undefined],
  ['a drawing', join('<svg>'), undefined],
  ['a page', join('<!doctype html>'), undefined],
  ['nothing', join(), undefined],
  ['an MP4 with picture and sound', join(ftyp('isom'), movie('soun', 'vide')), 'video/mp4', 'audio'],
  ['an MP4 with sound only', join(ftyp('isom'), data, movie('soun')), 'audio/mp4', 'video'],
  ['an MP4 with a long box', join(ftyp('mp42'), longBox('moov', track('soun'))), 'audio/mp4'],
  ['an MP4 with a long box of no size', join(ftyp('mp42'), be32(1), 'moov', be32(0), be32(0)), 'video/mp4'],
  [
    'an MP4 whose last box has no size',
    join(ftyp('mp42'), be32(0), 'moov', track('soun'), track('vide')),
    'video/mp4',
    'audio',
  ],
  ['an MP4 whose tracks come later', join(ftyp('mp42'), data), 'video/mp4'],
  ['an MP4 whose tracks come later', join(ftyp('mp42'), data), 'audio/mp4', 'audio'],
  [
    'an MP4 whose list of tracks is cut',
    join(ftyp('isom'), movie('soun', 'vide').subarray(0, 90)),
    'video/mp4',
  ],
  ['a QuickTime film', join(ftyp('qt  '), movie('vide')), undefined],
  [
    'a WebM with picture and sound',
    join(ebml('webm'), element(segment, entries(2, 1))),
    'video/webm',
    'audio',
  ],
  ['a recorded WebM with sound', join(ebml('webm'), openElement(segment, entries(2))), 'audio/webm', 'video'],
  ['a WebM whose tracks come later', join(ebml('webm'), openElement(segment)), 'audio/webm', 'audio'],
  [
    'a WebM of an open size in one byte',
    join(ebml('webm'), segment, [0xff], filler, entries(1)),
    'video/webm',
    'audio',
  ],
  ['a file of a kind that begins like WebM', join(ebml('webm2'), element(segment, entries(1))), undefined],
  ['a Matroska film', join(ebml('matroska'), element(segment, entries(1))), undefined],
  ['an MP3 with a tag', join('ID3\x04'), 'audio/mpeg'],
  ['an MP3 without a tag', join([0xff, 0xfb, 0x90, 0]), 'audio/mpeg'],
  ['a row of ones', join([0xff, 0xfb, 0xff, 0xff]), undefined],
  ['an AAC stream', join([0xff, 0xf1, 0x50, 0x80]), undefined],
  ['a text of 16 bits', join([0xff, 0xfe, 0x41, 0]), undefined],
]
for (const [name, bytes, mime, expected] of known)
  it(`${name} is ${mime ?? 'refused'}, where ${expected ?? 'nothing'} is expected`, () => {
    expect(recognizeMedia(bytes, expected)?.mime).toBe(mime)
  })

it('media of changed bytes are recognized without an error', () => {
  const hostile = fc.tuple(
    fc.constantFrom(...known.map(([, bytes]) => bytes)),
    fc.array(fc.tuple(fc.nat(120), fc.nat(255)), { maxLength: 8 }),
    fc.uint8Array({ maxLength: 300 }),
  )
  fc.assert(
    fc.property(hostile, ([file, changes, after]) => {
      const bytes = join(file, after)
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      const media = recognizeMedia(bytes)
      if (media) expect(media.mime.startsWith(media.kind)).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

const hugeSize = be32(0xfffffff0)
const overlapping = join(
  ftyp('isom'),
  ...Array<Uint8Array>(30_000).fill(
    join(be32(16), 'moov', hugeSize, 'trak', be32(16), 'mdia', hugeSize, 'hdlr'),
  ),
)
it('a megabyte of overlapping boxes is read in less than two seconds', () => {
  const startedAt = performance.now()
  recognizeMedia(overlapping)
  expect(performance.now() - startedAt).toBeLessThan(2000)
})
