import { draw, drawWithin, encode, encodePreview, encodeThumb, hashOf } from './draw-picture.ts'
import { MediaRefusedError } from './media-refused-error.ts'
import type { RefusalReason } from './media-refused-error.ts'
import { readPictureHeader } from './picture-header.ts'
import { maxPixels, maxSide, maxThumbSide } from './picture-limits.ts'
import { pictureType } from './picture-type.ts'
import type { PreparedPicture } from './prepare-picture.ts'
import { previewSizes } from './preview-sizes.ts'
import { stripAnimation } from './strip-animation.ts'

/** What the worker can do with a picture, and what comes of it. */
export interface WorkerSteps {
  prepare: PreparedPicture
  preview: Blob
}
export interface WorkerRequest {
  step: keyof WorkerSteps
  file: Blob
}
export type WorkerAnswer<S extends keyof WorkerSteps = keyof WorkerSteps> = WorkerSteps[S] | RefusalReason

/** Enough to tell the type, so that a large file of another kind is not read. */
const firstBytes = 4096

const bytesOf = async (file: Blob) => new Uint8Array(await orRefuse('damaged', file.arrayBuffer()))

const orRefuse = <T>(reason: RefusalReason, promise: Promise<T>): Promise<T> =>
  promise.catch(() => {
    throw new MediaRefusedError(reason)
  })

/** Decodes a picture upright, without decoding one that is too large. */
async function openPicture(file: Blob) {
  if (file.size === 0) throw new MediaRefusedError('empty')
  const type = pictureType(await bytesOf(file.slice(0, firstBytes)))
  if (!type) throw new MediaRefusedError('not_a_picture')
  if (type === 'svg') throw new MediaRefusedError('svg')

  const bytes = await bytesOf(file)
  const header = readPictureHeader(bytes)
  if (!header) throw new MediaRefusedError('damaged')
  if (header.width * header.height > maxPixels) throw new MediaRefusedError('too_many_pixels')

  const animation = stripAnimation(bytes, header)
  const source = new Blob(animation ?? [bytes], { type: `image/${type}` })
  const bitmap = await orRefuse(type === 'heic' ? 'heic' : 'damaged', createImageBitmap(source))
  return { bitmap, source, isAnimated: Boolean(animation) }
}

async function prepare(file: Blob): Promise<PreparedPicture> {
  const { bitmap, source, isAnimated } = await openPicture(file)
  const { width, height } = bitmap
  const canvas = drawWithin(bitmap, isAnimated ? maxThumbSide : maxSide)
  bitmap.close()
  const thumb = await encodeThumb(canvas)
  const hash = hashOf(canvas)
  if (isAnimated) return { ...described(source), width, height, isAnimated, thumb, hash }
  const blob = await encode(canvas, { jpeg: 0.85, webp: 0.9 })
  return { ...described(blob), width: canvas.width, height: canvas.height, isAnimated, thumb, hash }
}

const described = (blob: Blob) => ({ blob, mime: blob.type as PreparedPicture['mime'] })

async function preview(file: Blob): Promise<Blob> {
  const { bitmap } = await openPicture(file)
  const { from, to } = previewSizes(bitmap)
  const canvas = draw(bitmap, from)
  bitmap.close()
  return encodePreview(draw(canvas, to))
}

const steps = { prepare, preview }

self.addEventListener('message', ({ data: { step, file } }: MessageEvent<WorkerRequest>) => {
  void steps[step](file)
    .catch((error: unknown) => (error instanceof MediaRefusedError ? error.reason : 'not_prepared'))
    .then((answer: WorkerAnswer) => self.postMessage(answer))
})
