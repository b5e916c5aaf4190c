import { toBase64Url } from '@sumlock/sealing/bytes'
import { drawWithin, encodeThumb, hashOf } from './draw-picture.ts'
import { MediaRefusedError } from './media-refused-error.ts'
import { maxThumbSide } from './picture-limits.ts'

/** The still is taken after this many seconds, because the first moments are often black. */
const atS = 0.1
const givesUpAfterMs = 5000
/**
 * Waiting for a picture ends after this time, because a hidden page may show none and old browsers do not report it.
 */
const waitsForPictureMs = 1000

/**
 * Makes a still of a video file, and the ThumbHash of the still; null if this browser cannot decode the video. Rejects
 * with a `MediaRefusedError` if the browser changes what a page draws.
 */
export async function takePoster(file: Blob): Promise<{ thumb: Blob; hash: string } | null> {
  const url = URL.createObjectURL(file)
  const video = document.createElement('video')
  try {
    Object.assign(video, { muted: true, playsInline: true, preload: 'auto', src: url })
    await Promise.all([nextEvent(video, 'loadeddata'), nextPicture(video)])
    video.currentTime = Math.min(atS, video.duration / 2)
    await Promise.all([nextEvent(video, 'seeked'), nextPicture(video)])
    const frame = await createImageBitmap(video)
    const still = drawWithin(frame, maxThumbSide)
    frame.close()
    return { thumb: await encodeThumb(still), hash: toBase64Url(hashOf(still)) }
  } catch (error) {
    if (error instanceof MediaRefusedError) throw error
    return null
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}

function nextEvent(video: HTMLVideoElement, name: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(givesUpAfterMs)
    video.addEventListener(name, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error('This browser cannot decode the video.')), {
      once: true,
    })
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

/**
 * Resolves when the next picture is shown. The events of the video can fire earlier, and a canvas drawn then would be
 * empty or show the previous picture.
 */
function nextPicture(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(() => resolve())
    setTimeout(resolve, waitsForPictureMs)
  })
}
