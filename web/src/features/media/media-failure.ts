import { NotShownError } from './open-picture.ts'
import { TransferError } from './put-file.ts'
import { sizeText } from './size-text.ts'

/** The person reads this sentence in place of media that cannot be shown. `canRetry` adds a button for another try. */
export interface MediaFailure {
  state: 'failed'
  sentence: string
  canRetry: boolean
}

/** The browser's constant `MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED` has this value. */
const notSupported = 4

export function failureOf(error: unknown, what: 'photo' | 'video' | 'voice message'): MediaFailure {
  if (error instanceof NotShownError)
    return { state: 'failed', sentence: `${error.message} (${sizeText(error.size)})`, canRetry: false }
  if ((error as MediaError | null)?.code === notSupported)
    return { state: 'failed', sentence: `This browser cannot play this ${what}`, canRetry: false }
  if (error instanceof NotPlayableError) return { state: 'failed', sentence: error.message, canRetry: false }
  if (error instanceof TransferError && error.status === 404)
    return { state: 'failed', sentence: `This ${what} is no longer available`, canRetry: false }
  if (error instanceof TransferError)
    return { state: 'failed', sentence: `This ${what} could not be loaded`, canRetry: true }
  return { state: 'failed', sentence: `This ${what} is damaged`, canRetry: true }
}

/** Returns the error for a video whose pictures this browser cannot decode. */
export const noPicture = () => new NotPlayableError('This browser cannot play the picture of this video')

/** Thrown if the browser cannot play a film. The person reads the message. */
export class NotPlayableError extends Error {
  override readonly name = 'NotPlayableError'
}
