import fc from 'fast-check'
import {
  animatedWebp,
  apng,
  be32,
  exifSegment,
  gif,
  join,
  jpegSegment,
  jpegSize,
  le16,
  le32,
  png,
  pngChunk,
  riffChunk,
  vp8x,
  webp,
} from '../../../../test/picture-fixtures.ts'
import { exifWith } from './exif-orientation.ts'
import { readPictureHeader } from './picture-header.ts'
import { pictureType } from './picture-type.ts'

const start = [0xff, 0xd8]
const exif = exifSegment(6, 'Maker', 'Place')
const tables = jpegSegment(0xc4, [0, 1, 2, 3, 4, 5, 6, 7])
const box = (type: string, ...data: Uint8Array[]) => {
  const content = join(...data)
  return join(be32(content.length + 8), type, content)
}
const ispe = (width: number, height: number) => box('ispe', join(be32(0), be32(width), be32(height)))
const heic = (brand: string) =>
  join(
    box('ftyp', join(brand, be32(0))),
    box('meta', join(be32(0)), box('iprp', box('ipco', ispe(512, 512), ispe(4032, 3024), ispe(320, 240)))),
  )
const vp8 = riffChunk('VP8 ', join([0, 0, 0, 0x9d, 1, 0x2a], le16(300 | 0x4000), le16(200)))
const vp8l = (width: number, height: number) =>
  riffChunk('VP8L', join([0x2f], le32((width - 1) | ((height - 1) << 14))))

const readable: [
  name: string,
  bytes: Uint8Array,
  type: string,
  width: number,
  height: number,
  frames: number,
][] = [
  ['a baseline JPEG', join(start, exif, tables, jpegSize(0xc0, 640, 480)), 'jpeg', 640, 480, 1],
  ['a progressive JPEG', join(start, jpegSize(0xc2, 6000, 3000), exif), 'jpeg', 6000, 3000, 1],
  [
    'a JPEG with stray and filling bytes between its segments',
    join(start, exif, 'stray\xff\0', [0xff, 0xff], tables, [0xff], jpegSize(0xc1, 7, 9)),
    'jpeg',
    7,
    9,
    1,
  ],
  ['a PNG', png(30000, 20000), 'png', 30000, 20000, 1],
  ['an animated PNG', apng(10), 'png', 8, 8, 10],
  ['an animated PNG that claims more frames than it has', apng(3, '', { claimed: 90 }), 'png', 8, 8, 3],
  [
    'a PNG whose animation comes too late',
    png(5, 6, ...['IDAT', 'acTL', 'fcTL', 'fcTL'].map((type) => pngChunk(type, ''))),
    'png',
    5,
    6,
    1,
  ],
  ['a GIF', gif(1, '', { width: 300, height: 200 }), 'gif', 300, 200, 1],
  ['an animated GIF', gif(10), 'gif', 1, 1, 10],
  [
    'a GIF whose frame is larger than its screen and cut off',
    join('GIF89a', le16(1), le16(1), [0, 0, 0, 0x2c], le16(1), le16(2), le16(5000), le16(6000)),
    'gif',
    5001,
    6002,
    1,
  ],
  ['a WebP with losses', webp(vp8), 'webp', 300, 200, 1],
  ['a WebP without losses', webp(vp8l(5000, 3000)), 'webp', 5000, 3000, 1],
  ['a WebP whose picture is larger than its canvas', webp(vp8x(0, 200, 400), vp8), 'webp', 300, 400, 1],
  ['an animated WebP', animatedWebp(10), 'webp', 1, 1, 10],
  ['a HEIC with tiles and a thumbnail', heic('heic'), 'heic', 4032, 3024, 1],
  ['an AVIF', heic('avif'), 'avif', 4032, 3024, 1],
  ['a BMP', join('BM', new Uint8Array(12), le32(40), le32(640), le32(-480)), 'bmp', 640, 480, 1],
]
for (const [name, bytes, type, width, height, frames] of readable)
  it(`the header of ${name} gives type, size and frames`, () => {
    expect(readPictureHeader(bytes)).toMatchObject({ type, width, height, frames })
  })

const unreadable: [name: string, bytes: Uint8Array][] = [
  ['a JPEG whose first scan comes before its size', join(start, jpegSegment(0xda, ''), jpegSize(0xc0, 5, 5))],
  ['a JPEG without a height', join(start, jpegSize(0xc0, 640, 0))],
  ['a PNG that begins with another chunk', join(png(1, 1).subarray(0, 8), [0, 0, 0, 0], 'CgBI', png(1, 1))],
  ['a PNG without a width', png(0, 5)],
  ['a GIF without a size', gif(0, '', { width: 0, height: 0 })],
  ['a WebP without a picture', webp()],
  ['nothing', join()],
]
for (const [name, bytes] of unreadable)
  it(`the header of ${name} is not read`, () => expect(readPictureHeader(bytes)).toBeUndefined())

it('compatible brands decide the type of a picture whose first brand is general', () => {
  const file = (...brands: string[]) => box('ftyp', join('mif1', be32(0), ...brands))
  expect(pictureType(file('mif1', 'avif', 'miaf'))).toBe('avif')
  expect(pictureType(file('mif1', 'heic'))).toBe('heic')
  expect(pictureType(file())).toBe('heic')
})

it('the size of an AVIF is found behind any number of data', () => {
  const [head, index] = [heic('avif').subarray(0, 16), heic('avif').subarray(16)]
  const file = join(head, box('mdat', new Uint8Array(200_000)), index)
  expect(readPictureHeader(file)).toMatchObject({ width: 4032, height: 3024 })
})

it('an AVIF sequence has as many frames as its table of samples', () => {
  const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'].reduceRight(
    (content, type) => box(type, content),
    box('stsz', join(be32(0), be32(0), be32(12))),
  )
  expect(readPictureHeader(join(heic('avis'), table))?.frames).toBe(12)
})

for (const [name, type, exif] of [
  ['PNG', 'png', exifWith(6)],
  ['WebP', 'webp', join('Exif\0\0', exifWith(6))],
] as const)
  it(`the header of an animated ${name} tells how its camera was held`, () => {
    const file =
      type === 'png'
        ? join(png(8, 8).subarray(0, 33), pngChunk('eXIf', exif), apng(3).subarray(33))
        : webp(vp8x(0x0a, 1, 1), riffChunk('EXIF', exif))
    expect(readPictureHeader(file)).toMatchObject({ type, orientation: 6 })
  })

const wholeFiles = readable.map(([, bytes]) => bytes)

it('a picture cut anywhere, or with changed bytes, is read without an error and has a size or no header', () => {
  const hostile = fc.record({
    file: fc.constantFrom(...wholeFiles),
    length: fc.nat(600),
    changes: fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 8 }),
    after: fc.uint8Array({ maxLength: 200 }),
  })
  fc.assert(
    fc.property(hostile, ({ file, length, changes, after }) => {
      const bytes = join(file.subarray(0, length), after)
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      const header = readPictureHeader(bytes)
      if (header) expect(Math.min(header.width, header.height, header.frames)).toBeGreaterThan(0)
    }),
    { numRuns: 3000 },
  )
})

const repeated = (head: Uint8Array, part: Uint8Array) => join(head, Buffer.alloc(2_000_000, part))
const endless: [name: string, bytes: Uint8Array][] = [
  ['JPEG of empty segments', repeated(join(start), join([0xff, 0xe1, 0, 0]))],
  ['JPEG of filling bytes', repeated(join(start), join([0xff]))],
  ['PNG of empty chunks', repeated(apng(2).subarray(0, 53), join(be32(0), 'fcTL', be32(0)))],
  ['GIF of empty extensions', repeated(gif(1).subarray(0, 19), join([0x21, 0xff, 0]))],
  ['WebP of empty pictures', repeated(join('RIFF', le32(0xffffffff), 'WEBP'), join('VP8L', le32(0)))],
]
for (const [name, bytes] of endless)
  it(`a ${name} is read in less than two processor seconds`, () => {
    const before = process.cpuUsage()
    readPictureHeader(bytes)
    const { user, system } = process.cpuUsage(before)
    expect(user + system).toBeLessThan(2_000_000)
  })
