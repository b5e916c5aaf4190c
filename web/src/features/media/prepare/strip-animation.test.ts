import fc from 'fast-check'
import {
  animatedWebp,
  apng,
  gif,
  gifExtension,
  gifLoop,
  join,
  le32,
  png,
  pngChunk,
  riffChunk,
  vp8x,
  webp,
} from '../../../../test/picture-fixtures.ts'
import { exifWith } from './exif-orientation.ts'
import { readPictureHeader } from './picture-header.ts'
import type { PictureHeader } from './picture-header.ts'
import { stripAnimation } from './strip-animation.ts'

const mark = 'MARK-52.5200N'
const headerOf = (bytes: Uint8Array) => readPictureHeader(bytes) as PictureHeader
const strip = (bytes: Uint8Array<ArrayBuffer>, header = headerOf(bytes)) => {
  const parts = stripAnimation(bytes, header)
  return parts && join(...parts)
}

const animated = { GIF: gif, PNG: apng, WebP: animatedWebp }
for (const [name, build] of Object.entries(animated)) {
  it(`an animated ${name} loses its marks and becomes the file that it is without them`, () => {
    expect(join(build(3, mark))).not.toEqual(build(3))
    expect(strip(build(3, mark))).toEqual(build(3))
  })

  it(`an animated ${name} of more than 500 frames becomes a still`, () => {
    expect(strip(build(500))).toEqual(build(500))
    expect(strip(build(501))).toBeUndefined()
  })

  it(`an animated ${name} of more than 300 megapixels in all becomes a still`, () => {
    const bytes = build(3)
    const size = { width: 10_000, height: 10_000 }
    expect(strip(bytes, { ...headerOf(bytes), ...size })).toEqual(bytes)
    expect(strip(bytes, { ...headerOf(bytes), ...size, width: 10_001 })).toBeUndefined()
  })

  it(`a ${name} of one frame becomes a still`, () => expect(strip(build(1))).toBeUndefined())
}

const turned = {
  PNG: join(apng(3).subarray(0, 33), pngChunk('eXIf', exifWith(6)), apng(3, mark).subarray(33)),
  WebP: join(animatedWebp(3).subarray(0), riffChunk('EXIF', join('Exif\0\0', exifWith(6)))),
}
// The head of a WebP contains the size of the whole file.
turned.WebP.set(le32(turned.WebP.length - 8), 4)
for (const [name, file] of Object.entries(turned))
  it(`an animated ${name} keeps how its camera was held, and nothing else`, () => {
    const stripped = strip(file) as Uint8Array
    expect(headerOf(stripped)).toMatchObject({ frames: 3, orientation: 6 })
    expect(Buffer.from(stripped).includes(mark)).toBe(false)
    expect(strip(join(stripped))).toEqual(stripped)
  })

it('the head of an animated WebP announces how it was held only where it says so', () => {
  const flagsOf = (file: Uint8Array<ArrayBuffer>) => strip(file)?.[20]
  expect(flagsOf(turned.WebP)).toBe(0x1a)
  expect(flagsOf(animatedWebp(3, mark))).toBe(0x12)
})

const head = vp8x(0x12, 1, 1)
it.each([
  ['head', webp(riffChunk('VP8X', join(head.subarray(8), [0, 0])))],
  ['frame', webp(head, riffChunk('ANMF', new Uint8Array(15)))],
  ['picture in a frame', webp(head, riffChunk('ANMF', join(new Uint8Array(16), 'VP8L', le32(99), [0, 0])))],
])('a WebP whose %s has no right size becomes a still', (_what, file) => {
  expect(strip(file, headerOf(animatedWebp(3)))).toBeUndefined()
})

it('a GIF whose end is missing keeps its whole frames and gets an end', () => {
  const whole = gif(3)
  expect(strip(whole.slice(0, -3))).toEqual(join(whole.subarray(0, -16 - 8), [0x3b]))
})

it('a GIF keeps no more of its looping extension than the number of loops', () => {
  const [head, rest] = [gif(2).subarray(0, 19), gif(2).subarray(19 + gifLoop.length)]
  const longer = join(gifLoop.subarray(0, -1), [mark.length], mark, [0])
  expect(strip(join(head, longer, rest))).toEqual(join(head, rest))
})

it('a GIF loses a text together with its control', () => {
  const head = gif(2).subarray(0, 19)
  const frame = join([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0], [2, 2, 0x44, 1, 0])
  const text = join(gifExtension(0xf9, '\0\x63\0\0'), gifExtension(0x01, 'x'.repeat(12), mark))
  expect(strip(join(head, frame, text, frame, [0x3b]))).toEqual(join(head, frame, frame, [0x3b]))
})

it('a PNG that claims another number of frames than it has becomes a still', () => {
  expect(strip(apng(3, '', { claimed: 4 }))).toBeUndefined()
})

it('a PNG or WebP that is cut becomes a still', () => {
  for (const bytes of [apng(3), animatedWebp(3)]) expect(strip(bytes.slice(0, -1))).toBeUndefined()
})

it('a still PNG is left to the canvas', () => expect(strip(png(1, 1))).toBeUndefined())

it('animations that are cut or changed anywhere are stripped without an error, and keep the number of their frames', () => {
  const hostile = fc.record({
    file: fc.constantFrom(...Object.values(animated).map((build) => build(4, mark))),
    cut: fc.nat(300),
    changes: fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 4 }),
  })
  fc.assert(
    fc.property(hostile, ({ file, cut, changes }) => {
      const bytes = file.slice(0, file.length - cut)
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      const header = readPictureHeader(bytes)
      const stripped = header && strip(bytes, header)
      if (!stripped) return
      const { type, frames } = headerOf(stripped)
      expect(type).toBe(header.type)
      // The last frame of a GIF that was cut off is left out.
      expect(header.frames - frames).toBeLessThanOrEqual(type === 'gif' ? 1 : 0)
    }),
    { numRuns: 3000 },
  )
})
