import { deflateSync } from 'node:zlib'
import {
  animatedWebp,
  apng,
  be32,
  exifSegment,
  gif,
  join,
  jpegSegment,
  jpegSize,
  png,
  pngChunk,
} from '../../../../test/picture-fixtures.ts'
import type { PictureType } from './picture-type.ts'
import { isWhole } from './picture-whole.ts'

// The end of a preview stands inside the Exif data.
const jpeg = join(
  [0xff, 0xd8],
  exifSegment(1, '\xff\xda\xff\xd9', ''),
  jpegSize(0xc0, 8, 8),
  jpegSegment(0xda, 'scan'),
  'data\xff\0',
  [0xff, 0xd9],
)
const files: [type: PictureType, bytes: Uint8Array][] = [
  ['jpeg', jpeg],
  ['png', apng(3)],
  ['gif', gif(3).subarray(0, -1)],
  ['webp', animatedWebp(3)],
  ['avif', join(be32(16), 'ftypavif', be32(0), be32(12), 'mdat', be32(5))],
]
for (const [type, bytes] of files)
  it(`a ${type} is whole, and not without its last bytes`, () => {
    expect(isWhole(bytes, type)).toBe(true)
    expect(isWhole(bytes.subarray(0, -2), type)).toBe(false)
  })

it('a JPEG with something behind its end is whole', () =>
  expect(isWhole(join(jpeg, 'film'), 'jpeg')).toBe(true))

it('a PNG that claims more pixels than its data can hold is not whole', () => {
  const data = pngChunk('IDAT', deflateSync(new Uint8Array(1_700_000)))
  expect(isWhole(png(640, 640, data), 'png')).toBe(true)
  expect(isWhole(png(14_000, 14_000, data), 'png')).toBe(false)
})
