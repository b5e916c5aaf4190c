import fc from 'fast-check'
import { sentSize, thumbPart } from './sent-size.ts'

const sizes: [name: string, width: number, height: number, sent: [number, number] | undefined][] = [
  ['a picture of 12 megapixels', 4000, 3000, [4000, 3000]],
  ['a picture of 48 megapixels', 8064, 6048, [4729, 3547]],
  ['a picture of 200 megapixels', 16_320, 12_240, [4729, 3547]],
  ['a page that is 15200 pixels long', 1080, 15_200, [1080, 15_200]],
  ['a page that is 60000 pixels long', 1080, 60_000, [549, 30_529]],
  ['a panorama', 20_000, 3000, [10_575, 1586]],
  ['a line', 1, 50_000, [1, 32_767]],
  ['a line that lies', 50_000, 1, [32_767, 1]],
  ['a point', 1, 1, [1, 1]],
  ['a page that is too long to be read', 400, 400_000, undefined],
]
for (const [name, width, height, sent] of sizes)
  it(`${name} ${sent ? `is sent as ${sent.join(' by ')}` : 'is not sent'}`, () => {
    expect(sentSize({ width, height })).toEqual(sent && { width: sent[0], height: sent[1] })
  })

it('the area of every picture that is sent is bounded, and its shorter side stays readable', () => {
  const side = fc.integer({ min: 1, max: 200_000 })
  fc.assert(
    fc.property(side, side, (width, height) => {
      const sent = sentSize({ width, height })
      if (!sent) return
      expect(sent.width * sent.height).toBeLessThanOrEqual(4096 * 4096)
      expect(Math.max(sent.width, sent.height)).toBeLessThanOrEqual(32_767)
      const shorter = Math.min(width, height)
      expect(Math.min(sent.width, sent.height)).toBeGreaterThanOrEqual(
        Math.min(319, Math.floor(shorter / 2) || 1),
      )
    }),
  )
})

it('the thumbnail of a long picture shows its beginning, and that of another one the whole', () => {
  expect(thumbPart({ width: 1080, height: 15_200 })).toEqual({ width: 1080, height: 4320 })
  expect(thumbPart({ width: 20_000, height: 3000 })).toEqual({ width: 12_000, height: 3000 })
  expect(thumbPart({ width: 4000, height: 3000 })).toEqual({ width: 4000, height: 3000 })
})
