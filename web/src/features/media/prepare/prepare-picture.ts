import { MediaRefusedError } from './media-refused-error.ts'
import type { WorkerAnswer, WorkerRequest, WorkerSteps } from './picture-worker.ts'

export interface PreparedPicture {
  blob: Blob
  mime: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  width: number
  height: number
  isAnimated: boolean
  /** The still has sides of at most 320 pixels and a size of at most 64 KiB. */
  thumb: Blob
  /** A ThumbHash has at most 32 bytes. */
  hash: Uint8Array
}

/**
 * This settles when the picture before is done. Pictures are prepared one at a time, because a large one takes 160 MB
 * while it is decoded.
 */
let previous: Promise<unknown> = Promise.resolve()

/**
 * Prepares a picture for sending: upright, of at most 16 megapixels, without metadata; animations keep their frames.
 * Rejects with a `MediaRefusedError` or with the signal's reason.
 */
export const preparePicture = (file: Blob, { signal }: { signal?: AbortSignal } = {}) =>
  inTurn('prepare', file, signal)

/** Makes a small JPEG that is shown before sending. Rejects as `preparePicture` does. */
export const previewPicture = (file: Blob): Promise<Blob> => inTurn('preview', file)

function inTurn<S extends keyof WorkerSteps>(step: S, file: Blob, signal?: AbortSignal) {
  const done = previous.then(() => askWorker(step, file, signal))
  previous = done.catch(() => undefined)
  return done
}

async function askWorker<S extends keyof WorkerSteps>(
  step: S,
  file: Blob,
  signal?: AbortSignal,
): Promise<WorkerSteps[S]> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), { type: 'module' })
  let onAbort = () => {}
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<WorkerAnswer<S>>) =>
        typeof data === 'string' ? reject(new MediaRefusedError(data)) : resolve(data)
      worker.onerror = () => reject(new MediaRefusedError('not_prepared'))
      onAbort = () => reject(signal?.reason as Error)
      signal?.addEventListener('abort', onAbort)
      worker.postMessage({ step, file } satisfies WorkerRequest)
    })
  } finally {
    signal?.removeEventListener('abort', onAbort)
    worker.terminate()
  }
}
