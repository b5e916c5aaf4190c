import { fakeCanvas } from '../../../../test/fake-canvas.ts'
import type { Lies } from '../../../../test/fake-canvas.ts'
import { writeCanvas } from './canvas-honesty.ts'

function drawn(): OffscreenCanvas {
  const canvas = new OffscreenCanvas(40, 30)
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.fillStyle = '#4080c0'
  context.fillRect(0, 0, 40, 30)
  return canvas
}
const write = async (lies: Lies) => {
  const options = fakeCanvas(lies)
  await writeCanvas(drawn(), { type: 'image/jpeg', quality: 0.8 })
  return options
}
type Pixels = Parameters<NonNullable<Lies['read']>>[0]
const stripes = (pixels: Pixels) => pixels.map((_value, at) => (at * 97) % 256)
const white = (pixels: Pixels) => pixels.fill(255)
const isLarge = (pixels: Pixels) => pixels.length > 2000

it('an honest canvas becomes a file', async () => {
  expect(await write({})).toEqual([{ type: 'image/jpeg', quality: 0.8 }])
})

it('a canvas that changes only the last bits, which nobody sees, becomes a file', async () => {
  const lastBit = (pixels: Pixels) => pixels.map((value) => value ^ 1)
  expect(await write({ read: lastBit })).toHaveLength(1)
})

const liars: [name: string, lies: Lies][] = [
  ['gives stripes to its reader', { read: stripes }],
  ['gives stripes to its writer', { write: stripes }],
  ['gives stripes to both', { read: stripes, write: stripes }],
  ['gives white to both', { read: white, write: white }],
  [
    'gives stripes to the writer of large ones only',
    { write: (data) => (isLarge(data) ? stripes(data) : data) },
  ],
]
for (const [name, lies] of liars)
  it(`a canvas that ${name} becomes no file, and the person is told what to do`, async () => {
    await expect(write(lies)).rejects.toThrow(
      'Allow this page to use canvas data, or choose another browser.',
    )
  })
