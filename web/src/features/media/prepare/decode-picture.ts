import { MediaRefusedError } from './media-refused-error.ts'
import type { RefusalReason } from './media-refused-error.ts'
import type { PictureHeader } from './picture-header.ts'
import { maxPixels } from './picture-limits.ts'
import type { Size } from './preview-sizes.ts'
import { sentSize } from './sent-size.ts'

/** A decoded picture stands upright, whatever orientation its file states. */
export interface Decoded extends Size {
  image: ImageBitmap | VideoFrame
}

/**
 * A decoded pixel takes four bytes. They count four times, because a picture may take only a quarter of the device's
 * memory.
 */
const bytesPerPixel = 4 * 4
const gigabyte = 2 ** 30

/**
 * Decodes a picture. One of more than 40 megapixels is decoded at a smaller size if the browser can do this. Rejects
 * with a `MediaRefusedError`.
 */
export async function decodePicture(source: Blob, header: PictureHeader): Promise<Decoded> {
  const { type, width, height } = header
  const pixels = width * height
  if (pixels <= maxPixels) return orRefuse(reasonOf(header), decodeWhole(source))
  const { deviceMemory } = navigator as { deviceMemory?: number }
  // Only Chromium reports `deviceMemory`. It decodes a JPEG at a multiple of an eighth of its size; Firefox would
  // stretch the picture.
  if (deviceMemory && type === 'jpeg' && 'ImageDecoder' in globalThis)
    return orRefuse(
      'too_large_here',
      decodeSmaller(source, Math.sqrt(maxPixels / pixels) * Math.max(width, height)),
    )
  if (deviceMemory && pixels * bytesPerPixel > deviceMemory * gigabyte)
    throw new MediaRefusedError('too_large_here')
  return orRefuse('too_large_here', decodeWhole(source))
}

/**
 * Derives the reason for a failed decoding from the header, because Firefox gives none for a side of more than 65,535
 * pixels.
 */
function reasonOf(header: PictureHeader): RefusalReason {
  const { type, frames } = header
  if (type === 'heic' || type === 'avif') return type
  return frames < 2 && !sentSize(header) ? 'too_long' : 'damaged'
}

async function decodeWhole(source: Blob): Promise<Decoded> {
  const image = await createImageBitmap(source)
  return { image, width: image.width, height: image.height }
}

async function decodeSmaller(source: Blob, side: number): Promise<Decoded> {
  const desired = { desiredWidth: Math.floor(side), desiredHeight: Math.floor(side) }
  const decoder = new ImageDecoder({ data: await source.arrayBuffer(), type: source.type, ...desired })
  const { image } = await decoder.decode()
  return { image, width: image.displayWidth, height: image.displayHeight }
}

const orRefuse = <T>(reason: RefusalReason, promise: Promise<T>): Promise<T> =>
  promise.catch(() => {
    throw new MediaRefusedError(reason)
  })
