import { fakeCanvas } from '../../../../test/fake-canvas.ts'
import { encodePreview } from './draw-picture.ts'
import { previewSizes } from './preview-sizes.ts'

it('LIM-07: a preview is 200 px wide', () => {
  expect(previewSizes({ width: 800, height: 400 }).to).toEqual({ width: 200, height: 100 })
  expect(previewSizes({ width: 3000, height: 9000 }).to.width).toBe(200)
})

it('LIM-07: a preview is a JPEG of quality 0.8', async () => {
  const written = fakeCanvas()
  await encodePreview(new OffscreenCanvas(20, 10))
  expect(written).toEqual([{ type: 'image/jpeg', quality: 0.8 }])
})

it('LIM-08: a preview is made of at most 5,000,000 pixels', () => {
  const { from } = previewSizes({ width: 4000, height: 3000 })
  expect(from.width * from.height).toBeLessThanOrEqual(5_000_000)
  expect(from.width / from.height).toBeCloseTo(4 / 3, 2)
})

it('LIM-08: a preview is made of sides of at most 4096 px', () => {
  expect(previewSizes({ width: 20_000, height: 100 }).from).toEqual({ width: 4096, height: 20 })
})

it('a picture that is smaller than its preview would be keeps its size', () => {
  expect(previewSizes({ width: 60, height: 1 })).toEqual({
    from: { width: 60, height: 1 },
    to: { width: 60, height: 1 },
  })
})
