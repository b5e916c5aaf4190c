import { sendMedia } from '../send-media.ts'
import type { SendMediaOptions } from '../chosen-media.ts'
import type { Recording } from './take.ts'

const loadPreparing = () => import('./prepare-voice.ts')

/**
 * Loads the code that prepares a recording in advance, so that the recording can be prepared after the connection is
 * lost.
 */
export const preloadPreparing = (): void => void loadPreparing().catch(() => undefined)

/**
 * Sends a recording as a voice message. If it cannot be prepared, rejects with an error whose message the person reads.
 */
export function sendRecording(
  recording: Recording,
  options: SendMediaOptions,
  isOnce: boolean,
): Promise<void> {
  const prepare = async () => {
    const { prepareVoice } = await loadPreparing().catch(() => {
      throw new Error('The recording could not be prepared. Check your connection and try again.')
    })
    return prepareVoice(recording)
  }
  return sendMedia({ file: recording.sound, prepare, isOnce }, options)
}
