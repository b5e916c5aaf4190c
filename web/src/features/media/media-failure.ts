import { NotShownError } from './open-picture.ts'
import { TransferError } from './put-file.ts'
import { sizeText } from './size-text.ts'

/** The reason, for the waiting person, why media are not shown. */
export interface MediaFailure {
  state: 'failed'
  sentence: string
  canRetry: boolean
}

/** `MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED` */
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

/** This browser cannot decode the coding of the picture. */
export const noPicture = () => new NotPlayableError('This browser cannot play the picture of this video')

/** The browser cannot play this; the message explains it to the person. */
export class NotPlayableError extends Error {
  override readonly name = 'NotPlayableError'
}
