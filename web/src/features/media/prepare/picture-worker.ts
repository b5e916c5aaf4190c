import { decodePicture } from './decode-picture.ts'
import { draw, drawThumb, encode, encodePreview, encodeThumb, hashOf } from './draw-picture.ts'
import { MediaRefusedError } from './media-refused-error.ts'
import type { RefusalReason } from './media-refused-error.ts'
import { readPictureHeader } from './picture-header.ts'
import { maxChosenPixels, maxThumbSide } from './picture-limits.ts'
import { pictureType } from './picture-type.ts'
import { isWhole } from './picture-whole.ts'
import type { PreparedPicture } from './prepare-picture.ts'
import { previewSizes } from './preview-sizes.ts'
import type { Size } from './preview-sizes.ts'
import { sentSize } from './sent-size.ts'
import { isTooLongAnimation, stripAnimation } from './strip-animation.ts'

/** Maps each step of the worker to its result. */
export interface WorkerSteps {
  prepare: PreparedPicture
  preview: Blob
}
export interface WorkerRequest {
  step: keyof WorkerSteps
  file: Blob
}
export type WorkerAnswer<S extends keyof WorkerSteps = keyof WorkerSteps> = WorkerSteps[S] | RefusalReason

/** Decodes a picture upright, after checking that it is neither too large nor cut off. Throws a `MediaRefusedError`. */
async function openPicture(file: Blob) {
  const bytes = await bytesOf(file)
  const header = readPictureHeader(bytes)
  if (!header) throw new MediaRefusedError(pictureType(bytes) ? 'damaged' : 'unknown')
  if (header.width * header.height > maxChosenPixels) throw new MediaRefusedError('too_many_pixels')
  if (!isWhole(bytes, header.type)) throw new MediaRefusedError('damaged')
  if (isTooLongAnimation(header)) throw new MediaRefusedError('long_animation')
  if (header.frames > 1 && (header.type === 'avif' || header.type === 'heic'))
    throw new MediaRefusedError('animated_avif')

  const animation = stripAnimation(bytes, header)
  // The parts are joined into one buffer, because Firefox decodes no WebP from a blob whose first part has only a few
  // bytes.
  const whole = animation ? await new Blob(animation).arrayBuffer() : bytes
  const source = new Blob([whole], { type: `image/${header.type}` })
  return { picture: await decodePicture(source, header), source, isAnimated: Boolean(animation) }
}

async function bytesOf(file: Blob): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    throw new MediaRefusedError('not_read')
  }
}

async function prepare(file: Blob): Promise<PreparedPicture> {
  const { picture, source, isAnimated } = await openPicture(file)
  const { width, height } = picture
  const canvas = isAnimated ? drawThumb(picture, maxThumbSide) : draw(picture, sizeOrRefuse(picture))
  picture.image.close()
  const thumb = await encodeThumb(canvas)
  const hash = hashOf(canvas)
  if (isAnimated) return { ...described(source), width, height, isAnimated, thumb, hash }
  const blob = await encode(canvas, { jpeg: 0.85, webp: 0.9 })
  return { ...described(blob), width: canvas.width, height: canvas.height, isAnimated, thumb, hash }
}

function sizeOrRefuse(picture: Size): Size {
  const size = sentSize(picture)
  if (!size) throw new MediaRefusedError('too_long')
  return size
}

const described = (blob: Blob) => ({ blob, mime: blob.type as PreparedPicture['mime'] })

async function preview(file: Blob): Promise<Blob> {
  const { picture } = await openPicture(file)
  const { from, to } = previewSizes(picture)
  const canvas = draw(picture, from)
  picture.image.close()
  return encodePreview(draw({ image: canvas, ...from }, to))
}

const steps = { prepare, preview }

self.addEventListener('message', ({ data: { step, file } }: MessageEvent<WorkerRequest>) => {
  void steps[step](file)
    .catch((error: unknown) => (error instanceof MediaRefusedError ? error.reason : 'not_prepared'))
    .then((answer: WorkerAnswer) => self.postMessage(answer))
})
