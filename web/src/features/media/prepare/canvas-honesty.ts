import { MediaRefusedError } from './media-refused-error.ts'

type Context = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D
export interface ProbedCanvas {
  context: Context
  write: () => Promise<Blob | null>
}

const known = [
  ['#ff0000', 255, 0, 0],
  ['#00ff00', 0, 255, 0],
  ['#0000ff', 0, 0, 255],
  ['#ffc040', 255, 192, 64],
] as const

/**
 * A channel may differ by this much, because some browsers change the last bits of the pixels that a page reads, which
 * nobody sees.
 */
const invisible = 8

/**
 * Returns whether a canvas of 2 by 2 pixels returns what was drawn. A browser that protects its user from being
 * recognized returns stripes or noise instead, in the pixels, in the written files, or in both.
 */
export async function isHonest(open: (side: number) => ProbedCanvas): Promise<boolean> {
  const drawn = open(2)
  for (const [index, [color]] of known.entries()) {
    drawn.context.fillStyle = color
    drawn.context.fillRect(index % 2, index >> 1, 1, 1)
  }
  const written = await drawn.write()
  if (!written || !isKnown(drawn.context)) return false
  const read = open(2)
  read.context.drawImage(await createImageBitmap(written), 0, 0)
  return isKnown(read.context)
}

function isKnown(context: Context): boolean {
  const { data } = context.getImageData(0, 0, 2, 2)
  return known.every(([, ...color], index) =>
    [...color, 255].every(
      (value, channel) => Math.abs((data[index * 4 + channel] ?? 0) - value) <= invisible,
    ),
  )
}

/** The drawn and the written picture are compared at this many pixels a side. */
const comparedSide = 16
/** The channels may differ by this much on average. Compression changes them by less, stripes by more. */
const maxDifference = 32

/** Writes a canvas into a file. Rejects with a `MediaRefusedError` if the file does not show what was drawn. */
export async function writeCanvas(canvas: OffscreenCanvas, options: ImageEncodeOptions): Promise<Blob> {
  if (!(await isHonest(openOffscreen))) throw new MediaRefusedError('canvas_lies')
  const blob = await canvas.convertToBlob(options)
  const written = await createImageBitmap(blob)
  const difference = differenceOf(smallPixels(canvas), smallPixels(written))
  written.close()
  if (difference > maxDifference) throw new MediaRefusedError('canvas_lies')
  return blob
}

function openOffscreen(side: number): ProbedCanvas {
  const canvas = new OffscreenCanvas(side, side)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser gave no canvas to draw on.')
  return { context, write: () => canvas.convertToBlob() }
}

function smallPixels(picture: OffscreenCanvas | ImageBitmap): Uint8ClampedArray {
  const { context } = openOffscreen(comparedSide)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, 0, 0, comparedSide, comparedSide)
  return context.getImageData(0, 0, comparedSide, comparedSide).data
}

const differenceOf = (one: Uint8ClampedArray, other: Uint8ClampedArray) =>
  one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length
