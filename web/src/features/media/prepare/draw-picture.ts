import { rgbaToThumbHash } from 'thumbhash'
import { writeCanvas } from './canvas-honesty.ts'
import { maxThumbBytes, maxThumbSide, maxWebpSide } from './picture-limits.ts'
import { previewQuality, scaled } from './preview-sizes.ts'
import type { Size } from './preview-sizes.ts'
import { thumbPart } from './sent-size.ts'

/** Draws a picture so that its longer side has at most `side` pixels. */
export const drawWithin = (picture: ImageBitmap | OffscreenCanvas, side: number): OffscreenCanvas =>
  draw(drawable(picture), within(picture, side))

const drawable = (image: ImageBitmap | OffscreenCanvas): Drawable => ({
  image,
  width: image.width,
  height: image.height,
})

/** Draws the beginning of a long picture, and the whole of any other. */
export function drawThumb(picture: Drawable, side: number): OffscreenCanvas {
  const part = thumbPart(picture)
  return draw(picture, within(part, side), part)
}

export interface Drawable extends Size {
  image: CanvasImageSource
}

const within = (size: Size, side: number) =>
  scaled(size, Math.min(1, side / Math.max(size.width, size.height)))

export function draw(
  { image, ...whole }: Drawable,
  { width, height }: Size,
  part: Size = whole,
): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  const context = contextOf(canvas)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, part.width, part.height, 0, 0, width, height)
  return canvas
}

/**
 * Encodes a picture as JPEG. One with transparency becomes WebP, or PNG if the browser cannot write WebP or a side is
 * too long for it.
 */
export function encode(
  canvas: OffscreenCanvas,
  { jpeg, webp }: { jpeg: number; webp: number },
): Promise<Blob> {
  if (!isClear(canvas)) return writeCanvas(canvas, { type: 'image/jpeg', quality: jpeg })
  const isTooLong = Math.max(canvas.width, canvas.height) > maxWebpSide
  return writeCanvas(canvas, isTooLong ? { type: 'image/png' } : { type: 'image/webp', quality: webp })
}

/**
 * The first of these sides at which a thumbnail is small enough is used. At the last one, even an uncompressed PNG is.
 */
const thumbSides = [maxThumbSide, 224, 160, 112]

export async function encodeThumb(picture: OffscreenCanvas): Promise<Blob> {
  let thumb = new Blob()
  for (const side of thumbSides) {
    thumb = await encode(drawThumb(drawable(picture), side), { jpeg: 0.8, webp: 0.8 })
    if (thumb.size <= maxThumbBytes) break
  }
  return thumb
}

/** Puts white behind the picture and encodes it as JPEG. */
export function encodePreview(picture: OffscreenCanvas): Promise<Blob> {
  const context = contextOf(picture)
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = 'white'
  context.fillRect(0, 0, picture.width, picture.height)
  return writeCanvas(picture, { type: 'image/jpeg', quality: previewQuality })
}

/** A ThumbHash is computed from at most this many pixels a side. */
const hashSide = 100

export function hashOf(picture: OffscreenCanvas): Uint8Array {
  const { width, height, data } = pixelsOf(drawThumb(drawable(picture), hashSide), 0, hashSide)
  return rgbaToThumbHash(width, height, data)
}

/** Pixels are read in groups of this many rows, because all pixels of a large picture take 64 MB. */
const rowsAtOnce = 256

function isClear(canvas: OffscreenCanvas): boolean {
  for (let top = 0; top < canvas.height; top += rowsAtOnce) {
    const { data } = pixelsOf(canvas, top, rowsAtOnce)
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true
  }
  return false
}

const pixelsOf = (canvas: OffscreenCanvas, top: number, rows: number) =>
  contextOf(canvas).getImageData(0, top, canvas.width, Math.min(rows, canvas.height - top))

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser gave no canvas to draw on.')
  return context
}
